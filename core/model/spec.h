// What a transformer is, in the words of its config file. Sizes are counts; a zero means "none".
#pragma once

#include <cstdint>
#include <string>

namespace nestplan {

enum class Norm { kRms, kLayerNorm, kLayerNormNoBias };
enum class QkNorm { kNone, kPerHead, kFullWidth };

// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434). Off when kv_lora_rank is 0.
struct LatentAttention {
  std::int64_t q_lora_rank = 0;  // 0: queries are projected directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t v_head_dim = 0;
  friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

// Mixture of experts. Off when experts is 0.
struct MixtureOfExperts {
  std::int64_t experts = 0;
  std::int64_t top_k = 0;
  std::int64_t expert_ffn_size = 0;
  std::int64_t shared_ffn_size = 0;     // width of all shared experts together
  std::int64_t first_dense_layers = 0;  // the first k blocks have a dense MLP
  std::int64_t every_n_layers = 1;      // after them, block i is MoE when (i + 1) % n == 0
  bool shared_gate = false;             // a learned scalar gate on the shared expert (Qwen2-MoE)
  bool router_bias = false;
  bool expert_bias = false;
  friend bool operator==(const MixtureOfExperts&, const MixtureOfExperts&) = default;
};

struct ModelSpec {
  std::string name;
  std::int64_t layers = 0;  // transformer blocks
  std::int64_t hidden_size = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn_size = 0;  // dense MLP width
  std::int64_t vocab_size = 0;
  std::int64_t max_sequence_length = 0;
  bool gated_mlp = true;
  bool tied_embeddings = false;
  bool causal = true;
  Norm norm = Norm::kRms;
  std::int64_t norms_per_layer = 2;
  bool final_norm = true;
  QkNorm qk_norm = QkNorm::kNone;
  bool qkv_bias = false;
  bool output_bias = false;  // attention output projection
  bool mlp_bias = false;
  bool attention_sinks = false;              // one learned logit per head
  std::int64_t learned_positions = 0;        // rows of a learned position table
  std::int64_t token_types = 0;              // rows of a BERT token-type table
  bool embedding_norm = false;               // BERT: a norm after the embeddings
  bool masked_lm_head = false;               // BERT: dense + norm before the decoder, decoder bias
  bool head_bias = false;                    // output matrix (Phi)
  std::int64_t sliding_window = 0;           // tokens; 0: full attention
  std::int64_t full_attention_interval = 1;  // every n-th block attends fully; 0: none
  LatentAttention mla;
  MixtureOfExperts moe;
  friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

}  // namespace nestplan
