#include "published/model_table.h"

namespace nestplan::published {
namespace {

// Sources, retrieved 2026-08. "api" is the number of parameters the Hugging Face model API reports
// (safetensors.total); "card" the model card; "counted" means that no exact total is published.
const std::string kMaxText = "AI-Hypercomputer/maxtext configs/models @e591f30; ";
const std::string kDynamo = "ai-dynamo/aiconfigurator model_configs @095f58a; ";
const std::string kConfig = "config.json of the model page; ";

struct Shape {
  std::int64_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab, positions;
};

// Gated MLP, RMSNorm, no biases, untied: what most models since Llama are.
ModelSpec llama(const Shape& s) {
  ModelSpec spec;
  spec.layers = s.layers;
  spec.hidden_size = s.hidden;
  spec.heads = s.heads;
  spec.kv_heads = s.kv_heads;
  spec.head_dim = s.head_dim;
  spec.ffn_size = s.ffn;
  spec.vocab_size = s.vocab;
  spec.max_sequence_length = s.positions;
  return spec;
}

ModelSpec tied(ModelSpec spec) {
  spec.tied_embeddings = true;
  return spec;
}

// Two-matrix MLP, LayerNorm, biases everywhere.
ModelSpec gpt(const Shape& s) {
  ModelSpec spec = llama(s);
  spec.gated_mlp = false;
  spec.norm = Norm::kLayerNorm;
  spec.qkv_bias = spec.output_bias = spec.mlp_bias = true;
  return spec;
}

ModelSpec with_positions(ModelSpec spec) {
  spec.learned_positions = spec.max_sequence_length;
  return spec;
}

ModelSpec qwen2(const Shape& s) {
  ModelSpec spec = llama(s);
  spec.qkv_bias = true;
  return spec;
}

ModelSpec with_qk_norm(ModelSpec spec, QkNorm norm) {
  spec.qk_norm = norm;
  return spec;
}

ModelSpec windowed(ModelSpec spec, std::int64_t window, std::int64_t interval) {
  spec.sliding_window = window;
  spec.full_attention_interval = interval;
  return spec;
}

ModelSpec gemma(const Shape& s, std::int64_t window, std::int64_t interval) {
  ModelSpec spec = windowed(tied(llama(s)), window, interval);
  spec.norms_per_layer = 4;
  return spec;
}

// Parallel attention and MLP, two-matrix MLP, LayerNorm with bias, no linear bias.
ModelSpec falcon(const Shape& s, std::int64_t norms) {
  ModelSpec spec = tied(llama(s));
  spec.gated_mlp = false;
  spec.norm = Norm::kLayerNorm;
  spec.norms_per_layer = norms;
  return spec;
}

ModelSpec command_r(const Shape& s) {
  ModelSpec spec = tied(llama(s));
  spec.norm = Norm::kLayerNormNoBias;
  spec.norms_per_layer = 1;
  return spec;
}

ModelSpec with_moe(ModelSpec spec, const MixtureOfExperts& moe) {
  spec.moe = moe;
  return spec;
}

ModelSpec deepseek(const Shape& s, const MixtureOfExperts& moe) {
  ModelSpec spec = with_moe(llama(s), moe);
  spec.mla = {.q_lora_rank = 1536,
              .kv_lora_rank = 512,
              .qk_nope_head_dim = 128,
              .qk_rope_head_dim = 64,
              .v_head_dim = 128};
  return spec;
}

ModelSpec gpt_oss(const Shape& s, const MixtureOfExperts& moe) {
  ModelSpec spec = with_moe(windowed(llama(s), 128, 2), moe);
  spec.qkv_bias = spec.output_bias = spec.attention_sinks = true;
  return spec;
}

std::vector<KnownModel> dense_before_qwen3() {
  return {
      {"gpt2", with_positions(tied(gpt({12, 768, 12, 12, 64, 3072, 50257, 1024}))), 124439808,
       124439808, kConfig + "total: mosaicml/llm-foundry inference README"},
      {"gpt-neox-20b", gpt({44, 6144, 64, 64, 96, 24576, 50432, 2048}), 20554567680, 20554567680,
       kConfig + "total: card"},
      {"gpt3-175b", with_positions(tied(gpt({96, 12288, 96, 96, 128, 49152, 50257, 2048}))),
       174604259328, 174604259328, "arXiv 2005.14165 table 2.1; counted"},
      {"llama2-7b", llama({32, 4096, 32, 32, 128, 11008, 32000, 4096}), 6738415616, 6738415616,
       kMaxText + "total: api less 2,048"},
      {"llama2-13b", llama({40, 5120, 40, 40, 128, 13824, 32000, 4096}), 13015864320, 13015864320,
       kMaxText + "total: api less 2,560"},
      {"llama2-70b", llama({80, 8192, 64, 8, 128, 28672, 32000, 4096}), 68976648192, 68976648192,
       kMaxText + "total: api less 5,120"},
      {"llama3.1-8b", llama({32, 4096, 32, 8, 128, 14336, 128256, 131072}), 8030261248, 8030261248,
       kDynamo + "total: api"},
      {"llama3.1-70b", llama({80, 8192, 64, 8, 128, 28672, 128256, 131072}), 70553706496,
       70553706496, kDynamo + "total: api"},
      {"llama3.1-405b", llama({126, 16384, 128, 8, 128, 53248, 128256, 131072}), 405853388800,
       405853388800, kDynamo + "total: api"},
      {"llama3.2-3b", tied(llama({28, 3072, 24, 8, 128, 8192, 128256, 131072})), 3212749824,
       3212749824, kConfig + "total: api"},
      {"mistral-7b-v0.1", windowed(llama({32, 4096, 32, 8, 128, 14336, 32000, 32768}), 4096, 0),
       7241732096, 7241732096, kMaxText + "total: api"},
      {"qwen2.5-0.5b", tied(qwen2({24, 896, 14, 2, 64, 4864, 151936, 32768})), 494032768, 494032768,
       kConfig + "total: api"},
      {"qwen2.5-7b", qwen2({28, 3584, 28, 4, 128, 18944, 152064, 131072}), 7615616512, 7615616512,
       kMaxText + "total: api"},
      {"qwen2.5-32b", qwen2({64, 5120, 40, 8, 128, 27648, 152064, 131072}), 32763876352,
       32763876352, kConfig + "total: api"},
      {"qwen2.5-72b", qwen2({80, 8192, 64, 8, 128, 29568, 152064, 131072}), 72706203648,
       72706203648, kConfig + "total: api"},
  };
}

std::vector<KnownModel> dense_from_qwen3() {
  return {
      {"qwen3-0.6b",
       with_qk_norm(tied(llama({28, 1024, 16, 8, 128, 3072, 151936, 40960})), QkNorm::kPerHead),
       596049920, 596049920, kDynamo + "total: api less the second copy of the tied head"},
      {"qwen3-32b",
       with_qk_norm(llama({64, 5120, 64, 8, 128, 25600, 151936, 40960}), QkNorm::kPerHead),
       32762123264, 32762123264, kDynamo + "total: api"},
      {"gemma2-2b", gemma({26, 2304, 8, 4, 256, 9216, 256000, 8192}, 4096, 2), 2614341888,
       2614341888, kMaxText + "total: api"},
      {"gemma2-27b", gemma({46, 4608, 32, 16, 128, 36864, 256000, 8192}, 4096, 2), 27227128320,
       27227128320, kMaxText + "total: api"},
      {"gemma3-27b-text",
       with_qk_norm(gemma({62, 5376, 32, 16, 128, 21504, 262208, 131072}, 1024, 6),
                    QkNorm::kPerHead),
       27009346304, 27009346304, kMaxText + "total: api less the vision tower, 423,060,336"},
      {"phi3-mini", windowed(llama({32, 3072, 32, 32, 96, 8192, 32064, 4096}), 2047, 0), 3821079552,
       3821079552, kConfig + "total: api"},
      {"phi-4", llama({40, 5120, 40, 10, 128, 17920, 100352, 16384}), 14659507200, 14659507200,
       kConfig + "total: api"},
      {"olmo2-7b",
       with_qk_norm(llama({32, 4096, 32, 32, 128, 11008, 100352, 4096}), QkNorm::kFullWidth),
       7298617344, 7298617344, kConfig + "total: api"},
      {"olmo2-32b",
       with_qk_norm(llama({64, 5120, 40, 8, 128, 27648, 100352, 4096}), QkNorm::kFullWidth),
       32234279936, 32234279936, kConfig + "counted; card: 32B"},
      {"falcon-7b", falcon({32, 4544, 71, 1, 64, 18176, 65024, 2048}, 1), 6921720704, 6921720704,
       kConfig + "counted"},
      {"falcon-40b", falcon({60, 8192, 128, 8, 64, 32768, 65024, 2048}, 2), 41303293952,
       41303293952, kConfig + "counted"},
      {"command-r-35b", command_r({40, 8192, 64, 64, 128, 22528, 256000, 131072}), 34980831232,
       34980831232, kConfig + "counted; card: 35B"},
  };
}

std::vector<KnownModel> mixtures_with_grouped_attention() {
  return {
      {"mixtral-8x7b",
       with_moe(llama({32, 4096, 32, 8, 128, 14336, 32000, 32768}),
                {.experts = 8, .top_k = 2, .expert_ffn_size = 14336}),
       46702792704, 12879925248, kDynamo + "total: api; card: 12.9B active"},
      {"qwen3-235b-a22b",
       with_moe(with_qk_norm(llama({94, 4096, 64, 4, 128, 12288, 151936, 40960}), QkNorm::kPerHead),
                {.experts = 128, .top_k = 8, .expert_ffn_size = 1536}),
       235093634560, 22190763520, kDynamo + "total: api; card: 22B active"},
      {"gpt-oss-120b",
       gpt_oss({36, 2880, 64, 8, 64, 2880, 201088, 131072}, {.experts = 128,
                                                             .top_k = 4,
                                                             .expert_ffn_size = 2880,
                                                             .router_bias = true,
                                                             .expert_bias = true}),
       116829156672, 5711982912, kDynamo + "total: Megatron-Bridge verification card @067f987"},
      {"llama4-maverick-text",
       with_moe(windowed(llama({48, 5120, 40, 8, 128, 16384, 202048, 1048576}), 8192, 4),
                {.experts = 128,
                 .top_k = 1,
                 .expert_ffn_size = 8192,
                 .shared_ffn_size = 8192,
                 .every_n_layers = 2}),
       400711848960, 17184691200, kDynamo + "counted; card: 17B active"},
  };
}

std::vector<KnownModel> mixtures_with_latent_attention() {
  return {
      {"deepseek-v2",
       deepseek({60, 5120, 128, 128, 192, 12288, 102400, 163840}, {.experts = 160,
                                                                   .top_k = 6,
                                                                   .expert_ffn_size = 1536,
                                                                   .shared_ffn_size = 2 * 1536,
                                                                   .first_dense_layers = 1}),
       235741434880, 21375800320, kMaxText + "total: api; card: 21B active"},
      {"deepseek-v3",
       deepseek({61, 7168, 128, 128, 192, 18432, 129280, 163840}, {.experts = 256,
                                                                   .top_k = 8,
                                                                   .expert_ffn_size = 2048,
                                                                   .shared_ffn_size = 2048,
                                                                   .first_dense_layers = 3,
                                                                   .router_bias = true}),
       671026419200, 37552297472, kDynamo + "card: 671B total, 37B active (main model)"},
  };
}

}  // namespace

std::vector<KnownModel> known_models() {
  std::vector<KnownModel> all = dense_before_qwen3();
  for (std::vector<KnownModel> more :
       {dense_from_qwen3(), mixtures_with_grouped_attention(), mixtures_with_latent_attention()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace nestplan::published
