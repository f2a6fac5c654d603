#include "io/hf_families.h"

#include <algorithm>
#include <array>

#include "io/hf_family_parts.h"

namespace nestplan {
namespace {

using namespace hf;

void read_llama(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.positions = 2048});
  read_attention_bias(reader, model);
  model.mlp_bias = reader.flag("mlp_bias", false);
}

void read_smollm3(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.tied = true, .kv_heads = 4, .positions = 32768});
  read_attention_bias(reader, model);
  model.mlp_bias = reader.flag("mlp_bias", false);
}

void read_mistral(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 8, .positions = 131072});
  // The class has a window unless the file says null.
  const std::int64_t absent = reader.present("sliding_window") ? 0 : 4096;
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, absent), 0);
}

// Blocks from max_window_layers on have the window, if windows are on at all.
void read_qwen_window(HfReader& reader, ModelSpec& model) {
  const bool windowed = reader.flag("use_sliding_window", false);
  const std::int64_t window = reader.optional("sliding_window", {"sliding_window"}, 0);
  const std::int64_t full = reader.optional("max_window_layers", {"max_window_layers"}, 28, 0);
  if (!windowed || (full >= model.layers && !reader.given("layer_types"))) {
    return read_window(reader, model, 0, 1);
  }
  if (full > 0 && !reader.given("layer_types")) {
    reader.fault("max_window_layers", "unsupported",
                 "found " + std::to_string(full) + "; can price 0 or all " +
                     std::to_string(model.layers) + " layers with full attention, no other split");
  }
  read_window(reader, model, window, 0);
}

void read_qwen2(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 32, .positions = 32768});
  model.qkv_bias = true;
  read_qwen_window(reader, model);
}

void read_qwen3(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.kv_heads = 32, .head_dim = 128, .positions = 32768});
  read_attention_bias(reader, model);
  model.qk_norm = QkNorm::kPerHead;
  read_qwen_window(reader, model);
}

void read_gemma(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.tied = true, .kv_heads = 16, .head_dim = 256, .positions = 8192});
  read_attention_bias(reader, model);
}

void read_gemma2(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.tied = true, .kv_heads = 4, .head_dim = 256, .positions = 8192});
  read_attention_bias(reader, model);
  model.norms_per_layer = 4;
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 4096), 2);
}

// Published files leave out what equals the class's defaults, even heads and vocabulary.
void read_gemma3(HfReader& reader, ModelSpec& model) {
  model.layers = reader.required("layers", {"num_hidden_layers"});
  model.hidden_size = reader.required("hidden_size", {"hidden_size"});
  model.ffn_size = reader.required("ffn_size", {"intermediate_size"});
  model.heads = reader.optional("heads", {"num_attention_heads"}, 8);
  model.vocab_size = reader.optional("vocab_size", {"vocab_size"}, 262208);
  model.max_sequence_length =
      reader.optional("max_sequence_length", {"max_position_embeddings"}, 131072);
  model.tied_embeddings = reader.flag("tie_word_embeddings", true);
  read_heads(reader, model, {.kv_heads = 4, .head_dim = 256});
  read_attention_bias(reader, model);
  model.norms_per_layer = 4;
  model.qk_norm = QkNorm::kPerHead;
  const std::int64_t interval = reader.optional(
      "full_attention_interval", {"sliding_window_pattern", "_sliding_window_pattern"}, 6);
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 4096), interval);
}

void read_phi(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.positions = 2048});
  set_gpt_style(model);
  model.norms_per_layer = 1;
  model.head_bias = true;
  if (reader.flag("qk_layernorm", false)) model.qk_norm = QkNorm::kPerHead;
}

void read_phi3(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.positions = 4096});
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 0), 0);
}

void read_olmo2(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.positions = 2048});
  read_attention_bias(reader, model);
  model.qk_norm = QkNorm::kFullWidth;
}

void read_olmo3(HfReader& reader, ModelSpec& model) {
  read_olmo2(reader, model);
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 4096), 4);
}

void read_falcon(HfReader& reader, ModelSpec& model) {
  model.layers = reader.required("layers", {"num_hidden_layers", "n_layer"});
  model.hidden_size = reader.required("hidden_size", {"hidden_size", "n_embed"});
  model.heads = reader.required("heads", {"num_attention_heads", "n_head"});
  model.vocab_size = reader.required("vocab_size", {"vocab_size"});
  model.ffn_size = reader.optional("ffn_size", {"ffn_hidden_size"}, 4 * model.hidden_size);
  model.max_sequence_length =
      reader.optional("max_sequence_length", {"max_position_embeddings"}, 2048);
  model.tied_embeddings = reader.flag("tie_word_embeddings", true);
  const bool grouped = reader.flag("new_decoder_architecture", false);
  const bool single = reader.flag("multi_query", true);
  const bool parallel = reader.flag("parallel_attn", true);
  const std::int64_t kv_heads =
      reader.optional("kv_heads", {"num_kv_heads", "n_head_kv"}, model.heads);
  read_heads(reader, model, {});
  model.kv_heads = grouped ? kv_heads : single ? 1 : model.heads;
  model.gated_mlp = false;
  model.norm = Norm::kLayerNorm;
  model.qkv_bias = model.output_bias = model.mlp_bias = reader.flag("bias", false);
  const std::int64_t grouped_norms =
      reader.optional("norms_per_layer", {"num_ln_in_parallel_attn"}, 2);
  model.norms_per_layer = grouped ? grouped_norms : parallel ? 1 : 2;
}

void read_cohere(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.tied = true, .positions = 8192});
  // The longest context stands in a key of its own.
  model.max_sequence_length =
      reader.optional("max_sequence_length", {"model_max_length"}, model.max_sequence_length);
  read_attention_bias(reader, model);
  model.norm = Norm::kLayerNormNoBias;
  model.norms_per_layer = 1;
  if (reader.flag("use_qk_norm", false)) model.qk_norm = QkNorm::kFullWidth;
}

void read_cohere2(HfReader& reader, ModelSpec& model) {
  read_cohere(reader, model);
  const std::int64_t interval = reader.optional(
      "full_attention_interval", {"sliding_window_pattern", "_sliding_window_pattern"}, 4);
  read_window(reader, model, reader.optional("sliding_window", {"sliding_window"}, 4096), interval);
}

void read_gpt2(HfReader& reader, ModelSpec& model) {
  model.layers = reader.required("layers", {"n_layer", "num_hidden_layers"});
  model.hidden_size = reader.required("hidden_size", {"n_embd", "hidden_size"});
  model.heads = reader.required("heads", {"n_head", "num_attention_heads"});
  model.vocab_size = reader.required("vocab_size", {"vocab_size"});
  model.ffn_size = reader.optional("ffn_size", {"n_inner"}, 4 * model.hidden_size);
  model.max_sequence_length = reader.optional("max_sequence_length", {"n_positions"}, 1024);
  model.learned_positions = model.max_sequence_length;
  model.tied_embeddings = reader.flag("tie_word_embeddings", true);
  read_heads(reader, model, {});
  set_gpt_style(model);
}

void read_gpt_bigcode(HfReader& reader, ModelSpec& model) {
  read_gpt2(reader, model);
  if (reader.flag("multi_query", true)) model.kv_heads = 1;
}

void read_gpt_neox(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.positions = 2048});
  set_gpt_style(model);
  read_attention_bias(reader, model, true);
}

void read_bloom(HfReader& reader, ModelSpec& model) {
  model.layers = reader.required("layers", {"n_layer", "num_hidden_layers"});
  model.hidden_size = reader.required("hidden_size", {"hidden_size", "n_embed"});
  model.heads = reader.required("heads", {"n_head", "num_attention_heads"});
  model.vocab_size = reader.required("vocab_size", {"vocab_size"});
  model.ffn_size = 4 * model.hidden_size;
  model.max_sequence_length = reader.optional("max_sequence_length", {"seq_length"}, 2048);
  model.tied_embeddings = reader.flag("tie_word_embeddings", true);
  read_heads(reader, model, {});
  set_gpt_style(model);
  model.embedding_norm = true;
}

void read_opt(HfReader& reader, ModelSpec& model) {
  model.layers = reader.required("layers", {"num_hidden_layers"});
  model.hidden_size = reader.required("hidden_size", {"hidden_size"});
  model.heads = reader.required("heads", {"num_attention_heads"});
  model.vocab_size = reader.required("vocab_size", {"vocab_size"});
  model.ffn_size = reader.required("ffn_size", {"ffn_dim"});
  model.max_sequence_length =
      reader.optional("max_sequence_length", {"max_position_embeddings"}, 2048);
  model.learned_positions = model.max_sequence_length + 2;  // two rows for padding
  model.tied_embeddings = reader.flag("tie_word_embeddings", true);
  read_heads(reader, model, {});
  set_gpt_style(model);
  model.qkv_bias = model.output_bias = model.mlp_bias = reader.flag("enable_bias", true);
  model.final_norm =
      reader.flag("do_layer_norm_before", true) && !reader.flag("_remove_final_layer_norm", false);
  if (!reader.flag("layer_norm_elementwise_affine", true)) {
    reader.fault("layer_norm_elementwise_affine", "unsupported", "can price only true");
  }
  const std::int64_t width =
      reader.optional("hidden_size", {"word_embed_proj_dim"}, model.hidden_size);
  if (width != model.hidden_size) {
    reader.fault("word_embed_proj_dim", "unsupported",
                 "found " + std::to_string(width) + "; can price only the hidden size, " +
                     std::to_string(model.hidden_size));
  }
}

void read_bert(HfReader& reader, ModelSpec& model) {
  read_shape(reader, model, {.tied = true, .positions = 512});
  set_gpt_style(model);
  model.causal = reader.flag("is_decoder", false);
  model.final_norm = false;
  model.learned_positions = model.max_sequence_length;
  model.token_types = reader.optional("token_types", {"type_vocab_size"}, 2);
  model.embedding_norm = model.masked_lm_head = true;
  const std::string positions = reader.text("position_embedding_type");
  if (!positions.empty() && positions != "absolute") {
    reader.fault("position_embedding_type", "unsupported",
                 "found \"" + positions.substr(0, 60) + "\"; can price only absolute");
  }
}

// BERT whose first two position rows are padding.
void read_roberta(HfReader& reader, ModelSpec& model) {
  read_bert(reader, model);
  if (model.learned_positions > 2) model.max_sequence_length = model.learned_positions - 2;
}

constexpr std::array kFamilies = {HfFamily{"bert", read_bert},
                                  HfFamily{"bloom", read_bloom},
                                  HfFamily{"cohere", read_cohere},
                                  HfFamily{"cohere2", read_cohere2},
                                  HfFamily{"deepseek_v2", read_deepseek_v2},
                                  HfFamily{"deepseek_v3", read_deepseek_v3},
                                  HfFamily{"falcon", read_falcon},
                                  HfFamily{"gemma", read_gemma},
                                  HfFamily{"gemma2", read_gemma2},
                                  HfFamily{"gemma3", read_gemma3},
                                  HfFamily{"gemma3_text", read_gemma3},
                                  HfFamily{"gpt2", read_gpt2},
                                  HfFamily{"gpt_bigcode", read_gpt_bigcode},
                                  HfFamily{"gpt_neox", read_gpt_neox},
                                  HfFamily{"gpt_oss", read_gpt_oss},
                                  HfFamily{"granite", read_llama},
                                  HfFamily{"kimi_k2", read_deepseek_v3},
                                  HfFamily{"llama", read_llama},
                                  HfFamily{"llama4", read_llama4},
                                  HfFamily{"llama4_text", read_llama4},
                                  HfFamily{"mistral", read_mistral},
                                  HfFamily{"mixtral", read_mixtral},
                                  HfFamily{"olmo2", read_olmo2},
                                  HfFamily{"olmo3", read_olmo3},
                                  HfFamily{"opt", read_opt},
                                  HfFamily{"phi", read_phi},
                                  HfFamily{"phi3", read_phi3},
                                  HfFamily{"qwen2", read_qwen2},
                                  HfFamily{"qwen2_moe", read_qwen2_moe},
                                  HfFamily{"qwen3", read_qwen3},
                                  HfFamily{"qwen3_moe", read_qwen3_moe},
                                  HfFamily{"roberta", read_roberta},
                                  HfFamily{"smollm3", read_smollm3},
                                  HfFamily{"xlm-roberta", read_roberta}};

}  // namespace

std::span<const HfFamily> hf_families() { return kFamilies; }

}  // namespace nestplan
