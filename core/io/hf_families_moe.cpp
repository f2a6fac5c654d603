// Families with routed experts.
#include <string>
#include <vector>

#include "io/hf_family_parts.h"

namespace nestplan::hf {
namespace {

void read_qwen_experts(HfReader& reader, ModelSpec& model) {
  MixtureOfExperts& moe = model.moe;
  moe.experts = reader.required("moe/experts", {"num_experts", "num_local_experts"});
  moe.top_k = reader.required("moe/top_k", {"num_experts_per_tok"});
  moe.expert_ffn_size = reader.required("moe/expert_ffn_size", {"moe_intermediate_size"});
  moe.every_n_layers = reader.optional("moe/every_n_layers", {"decoder_sparse_step"}, 1);
  read_dense_prefix(reader, model);
}

void read_latent_attention(HfReader& reader, ModelSpec& model) {
  LatentAttention& mla = model.mla;
  mla.q_lora_rank = reader.optional("mla/q_lora_rank", {"q_lora_rank"}, 0);
  mla.kv_lora_rank = reader.required("mla/kv_lora_rank", {"kv_lora_rank"});
  mla.qk_nope_head_dim = reader.required("mla/qk_nope_head_dim", {"qk_nope_head_dim"});
  mla.qk_rope_head_dim = reader.required("mla/qk_rope_head_dim", {"qk_rope_head_dim"});
  mla.v_head_dim = reader.required("mla/v_head_dim", {"v_head_dim"});
  // Some files give the rotary part, or nothing, as head_dim; the sizes above decide.
  model.head_dim = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
  model.kv_heads = model.heads;
}

void read_deepseek_experts(HfReader& reader, ModelSpec& model) {
  MixtureOfExperts& moe = model.moe;
  moe.experts = reader.optional("moe/experts", {"n_routed_experts"}, 0);
  if (moe.experts == 0) return;
  moe.top_k = reader.required("moe/top_k", {"num_experts_per_tok"});
  moe.expert_ffn_size = reader.required("moe/expert_ffn_size", {"moe_intermediate_size"});
  moe.shared_ffn_size =
      reader.optional("moe/shared_ffn_size", {"n_shared_experts"}, 0, 0) * moe.expert_ffn_size;
  moe.first_dense_layers =
      reader.optional("moe/first_dense_layers", {"first_k_dense_replace"}, 0, 0);
  if (reader.optional("moe/every_n_layers", {"moe_layer_freq"}, 1) != 1) {
    reader.fault("moe_layer_freq", "unsupported", "can price only 1: experts in every block");
  }
}

// no_rope_layers: 1 where a block has rotary positions, and with them chunked attention.
std::int64_t llama4_full_interval(HfReader& reader, std::int64_t layers) {
  const std::int64_t interval =
      reader.optional("full_attention_interval", {"no_rope_layer_interval"}, 4);
  const nlohmann::json* rope = reader.list("no_rope_layers");
  if (rope == nullptr || interval == 0) return interval;
  for (std::int64_t block = 0; block < std::ssize(*rope); ++block) {
    const int expected = (block + 1) % interval == 0 ? 0 : 1;
    if ((*rope)[static_cast<std::size_t>(block)] == expected) continue;
    reader.fault("no_rope_layers/" + std::to_string(block), "unsupported",
                 "can price only a 0 in every " + std::to_string(interval) +
                     "th place, 1 elsewhere; " + std::to_string(layers) + " places");
    break;
  }
  return interval;
}

// moe_layers, where given, must be what interleave_moe_layer_step says.
void check_moe_layers(HfReader& reader, const ModelSpec& model) {
  const nlohmann::json* blocks = reader.list("moe_layers");
  if (blocks == nullptr) return;
  const std::int64_t step = model.moe.every_n_layers;
  std::int64_t expected = step - 1;
  for (const nlohmann::json& block : *blocks) {
    if (!block.is_number_integer() || block != expected) {
      reader.fault("moe_layers", "unsupported",
                   "found " + describe_json(block) + " where interleave_moe_layer_step puts " +
                       std::to_string(expected) + "; can price only that layout");
      return;
    }
    expected += step;
  }
}

}  // namespace

void read_mixtral(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 8, .positions = 131072});
  model.moe.experts = reader.optional("moe/experts", {"num_local_experts"}, 8);
  model.moe.top_k = reader.optional("moe/top_k", {"num_experts_per_tok"}, 2);
  model.moe.expert_ffn_size = model.ffn_size;
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 0), 0);
}

void read_qwen2_moe(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 16, .positions = 32768});
  model.qkv_bias = reader.flag("qkv_bias", true);
  read_qwen_experts(reader, model);
  model.moe.shared_ffn_size =
      reader.required("moe/shared_ffn_size", {"shared_expert_intermediate_size"});
  model.moe.shared_gate = true;
  if (reader.flag("use_sliding_window", false)) {
    reader.fault("use_sliding_window", "unsupported", "can price only false here");
  }
}

void read_qwen3_moe(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 4, .positions = 32768});
  read_attention_bias(reader, model);
  model.qk_norm = QkNorm::kPerHead;
  read_qwen_experts(reader, model);
  if (reader.flag("use_sliding_window", false)) {
    reader.fault("use_sliding_window", "unsupported", "can price only false here");
  }
}

void read_deepseek_v2(HfReader& reader, ModelSpec& model) {
  // The head size follows from the latent sizes, never from hidden_size / heads.
  read_shape(reader, model, {.head_dim = 1, .positions = 2048});
  read_attention_bias(reader, model);
  model.mlp_bias = reader.flag("mlp_bias", false);
  read_latent_attention(reader, model);
  read_deepseek_experts(reader, model);
}

void read_deepseek_v3(HfReader& reader, ModelSpec& model) {
  read_deepseek_v2(reader, model);
  // The bias that balances the load; files without a topk_method are of a class that always has it.
  const std::string method = reader.text("topk_method");
  model.moe.router_bias = model.moe.experts > 0 && (method.empty() || method == "noaux_tc");
}

void read_gpt_oss(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 8, .head_dim = 64, .positions = 131072});
  read_attention_bias(reader, model, true);
  model.attention_sinks = true;
  model.moe.experts = reader.required("moe/experts", {"num_local_experts"});
  model.moe.top_k = reader.required("moe/top_k", {"num_experts_per_tok", "experts_per_token"});
  model.moe.expert_ffn_size = model.ffn_size;
  model.moe.router_bias = model.moe.expert_bias = true;
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 128), 2);
}

void read_llama4(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 8, .head_dim = 128, .positions = 131072});
  read_attention_bias(reader, model);
  model.moe.expert_ffn_size = model.moe.shared_ffn_size = model.ffn_size;
  model.ffn_size = reader.required("ffn_size", {"intermediate_size_mlp"});
  model.moe.experts = reader.required("moe/experts", {"num_local_experts"});
  model.moe.top_k = reader.required("moe/top_k", {"num_experts_per_tok"});
  model.moe.every_n_layers =
      reader.optional("moe/every_n_layers", {"interleave_moe_layer_step"}, 1);
  check_moe_layers(reader, model);
  // Attention inside fixed chunks costs at most what a window of that length does.
  const std::int64_t chunk = reader.optional("sliding_window", {"attention_chunk_size"}, 8192);
  read_window(reader, model, chunk, llama4_full_interval(reader, model.layers));
}

}  // namespace nestplan::hf
