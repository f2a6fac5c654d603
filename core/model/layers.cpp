#include "model/layers.h"

#include <utility>

#include "base/check.h"

namespace nestplan {
namespace {

std::int64_t norm_parameters(Norm norm, std::int64_t width) {
  return norm == Norm::kLayerNorm ? 2 * width : width;
}

bool is_moe_block(const ModelSpec& spec, std::int64_t block) {
  const MixtureOfExperts& moe = spec.moe;
  return moe.experts > 0 && block >= moe.first_dense_layers &&
         (block + 1) % moe.every_n_layers == 0;
}

// Tokens a block may look back; 0: all of them.
std::int64_t attention_window(const ModelSpec& spec, std::int64_t block) {
  const std::int64_t interval = spec.full_attention_interval;
  const bool full = interval > 0 && (block + 1) % interval == 0;
  return full ? 0 : spec.sliding_window;
}

// Adds a matrix, and its bias if it has one. The bias of a column split is split with the outputs;
// that of a row split is added after the sum, so every rank holds all of it.
void add_matmul(LayerType& layer, Matmul matmul, bool bias = false) {
  const bool sharded = matmul.shard != Shard::kReplicated;
  (sharded ? layer.parameters.sharded : layer.parameters.replicated) += matmul.in * matmul.out;
  if (bias) {
    const bool split = matmul.shard == Shard::kColumn;
    (split ? layer.parameters.sharded : layer.parameters.replicated) += matmul.out;
  }
  layer.matmuls.push_back(std::move(matmul));
}

void add_grouped_attention(LayerType& layer, const ModelSpec& spec) {
  const std::int64_t queries = spec.heads * spec.head_dim;
  const std::int64_t keys = spec.kv_heads * spec.head_dim;
  add_matmul(layer, {"qkv", spec.hidden_size, queries + 2 * keys, Shard::kColumn, false},
             spec.qkv_bias);
  add_matmul(layer, {"attention output", queries, spec.hidden_size, Shard::kRow, false},
             spec.output_bias);
  switch (spec.qk_norm) {
    case QkNorm::kNone: break;
    case QkNorm::kPerHead:
      layer.parameters.replicated += 2 * norm_parameters(spec.norm, spec.head_dim);
      break;
    case QkNorm::kFullWidth:
      layer.parameters.replicated += norm_parameters(spec.norm, queries + keys);
      break;
  }
}

// Source: DeepSeek-V2, arXiv 2405.04434, section 2.1; the two latent vectors are normalised.
void add_latent_attention(LayerType& layer, const ModelSpec& spec) {
  const LatentAttention& mla = spec.mla;
  const std::int64_t h = spec.hidden_size;
  const std::int64_t queries = spec.heads * (mla.qk_nope_head_dim + mla.qk_rope_head_dim);
  if (mla.q_lora_rank > 0) {
    add_matmul(layer, {"q down", h, mla.q_lora_rank, Shard::kReplicated, false}, spec.qkv_bias);
    add_matmul(layer, {"q up", mla.q_lora_rank, queries, Shard::kColumn, false});
    layer.parameters.replicated += norm_parameters(spec.norm, mla.q_lora_rank);
  } else {
    add_matmul(layer, {"q", h, queries, Shard::kColumn, false});
  }
  add_matmul(layer,
             {"kv down", h, mla.kv_lora_rank + mla.qk_rope_head_dim, Shard::kReplicated, false},
             spec.qkv_bias);
  add_matmul(layer, {"kv up", mla.kv_lora_rank,
                     spec.heads * (mla.qk_nope_head_dim + mla.v_head_dim), Shard::kColumn, false});
  layer.parameters.replicated += norm_parameters(spec.norm, mla.kv_lora_rank);
  add_matmul(layer, {"attention output", spec.heads * mla.v_head_dim, h, Shard::kRow, false},
             spec.output_bias);
}

// Two matrices, the first twice as wide when gated; `prefix` tells a shared expert from the MLP.
void add_mlp(LayerType& layer, const ModelSpec& spec, std::int64_t width, const char* prefix) {
  const std::string name = prefix;
  const std::int64_t up = spec.gated_mlp ? 2 * width : width;
  add_matmul(
      layer,
      {name + (spec.gated_mlp ? "gate and up" : "up"), spec.hidden_size, up, Shard::kColumn, false},
      spec.mlp_bias);
  add_matmul(layer, {name + "down", width, spec.hidden_size, Shard::kRow, false}, spec.mlp_bias);
}

std::int64_t parameters_per_expert(const ModelSpec& spec) {
  const std::int64_t up = (spec.gated_mlp ? 2 : 1) * spec.moe.expert_ffn_size;
  const std::int64_t bias = spec.moe.expert_bias ? up + spec.hidden_size : 0;
  return spec.hidden_size * (up + spec.moe.expert_ffn_size) + bias;
}

void add_experts(LayerType& layer, const ModelSpec& spec) {
  const MixtureOfExperts& moe = spec.moe;
  const std::int64_t h = spec.hidden_size;
  const std::int64_t up = (spec.gated_mlp ? 2 : 1) * moe.expert_ffn_size;
  add_matmul(layer, {"router", h, moe.experts, Shard::kReplicated, false}, moe.router_bias);
  layer.matmuls.push_back(
      {spec.gated_mlp ? "expert gate and up" : "expert up", h, up, Shard::kColumn, true});
  layer.matmuls.push_back({"expert down", moe.expert_ffn_size, h, Shard::kRow, true});
  layer.parameters.experts = moe.experts * parameters_per_expert(spec);
  if (moe.shared_ffn_size > 0) add_mlp(layer, spec, moe.shared_ffn_size, "shared expert ");
  if (moe.shared_gate) add_matmul(layer, {"shared expert gate", h, 1, Shard::kReplicated, false});
}

LayerType build_block(const ModelSpec& spec, bool moe, std::int64_t window) {
  LayerType layer;
  layer.kind = LayerKind::kBlock;
  layer.name = moe ? "moe block" : "dense block";
  if (window > 0) layer.name += " (window " + std::to_string(window) + ")";
  layer.moe = moe;
  layer.attention_window = window;
  layer.parameters.replicated = spec.norms_per_layer * norm_parameters(spec.norm, spec.hidden_size);
  if (spec.mla.kv_lora_rank > 0) {
    add_latent_attention(layer, spec);
  } else {
    add_grouped_attention(layer, spec);
  }
  if (spec.attention_sinks) layer.parameters.sharded += spec.heads;
  if (moe) {
    add_experts(layer, spec);
  } else {
    add_mlp(layer, spec, spec.ffn_size, "");
  }
  layer.active_parameters = layer.parameters.total() - layer.parameters.experts;
  if (moe) layer.active_parameters += spec.moe.top_k * parameters_per_expert(spec);
  return layer;
}

std::int64_t embedding_tables(const ModelSpec& spec) {
  return (spec.vocab_size + spec.learned_positions + spec.token_types) * spec.hidden_size;
}

LayerType build_embedding(const ModelSpec& spec) {
  LayerType layer;
  layer.kind = LayerKind::kEmbedding;
  layer.name = "embedding";
  layer.parameters.sharded = spec.vocab_size * spec.hidden_size;
  layer.parameters.replicated = embedding_tables(spec) - layer.parameters.sharded;
  if (spec.embedding_norm) {
    layer.parameters.replicated += norm_parameters(spec.norm, spec.hidden_size);
  }
  layer.active_parameters = layer.parameters.total();
  return layer;
}

LayerType build_head(const ModelSpec& spec) {
  const std::int64_t h = spec.hidden_size;
  LayerType layer;
  layer.kind = LayerKind::kHead;
  layer.name = "head";
  if (spec.final_norm) layer.parameters.replicated += norm_parameters(spec.norm, h);
  if (spec.masked_lm_head) {
    add_matmul(layer, {"head transform", h, h, Shard::kReplicated, false}, true);
    layer.parameters.replicated += norm_parameters(spec.norm, h);
  }
  add_matmul(layer, {"output", h, spec.vocab_size, Shard::kColumn, false},
             spec.masked_lm_head || spec.head_bias);
  layer.active_parameters = layer.parameters.total();
  return layer;
}

// Index of the block type with this MLP and this window, added when it is new.
std::int64_t block_type(LayerChain& chain, const ModelSpec& spec, bool moe, std::int64_t window) {
  for (std::int64_t type = 0; type < std::ssize(chain.types); ++type) {
    const LayerType& known = chain.types[static_cast<std::size_t>(type)];
    if (known.kind == LayerKind::kBlock && known.moe == moe && known.attention_window == window) {
      return type;
    }
  }
  chain.types.push_back(build_block(spec, moe, window));
  return std::ssize(chain.types) - 1;
}

// Matrix weights that one token meets in a layer.
std::int64_t active_matrix_weights(const LayerType& layer, std::int64_t top_k) {
  std::int64_t sum = 0;
  for (const Matmul& matmul : layer.matmuls) {
    sum += matmul.in * matmul.out * (matmul.expert ? top_k : 1);
  }
  return sum;
}

}  // namespace

std::int64_t LayerChain::size() const {
  std::int64_t sum = 0;
  for (const LayerRun& run : runs) sum += run.count;
  return sum;
}

std::vector<std::int64_t> LayerChain::expanded() const {
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(size()));
  for (const LayerRun& run : runs)
    all.insert(all.end(), static_cast<std::size_t>(run.count), run.type);
  return all;
}

LayerChain build_chain(const ModelSpec& spec) {
  CHECK(spec.layers > 0 && spec.moe.every_n_layers > 0, "validate_model was not consulted");
  LayerChain chain;
  chain.types.push_back(build_embedding(spec));
  chain.runs.push_back({0, 1});
  for (std::int64_t block = 0; block < spec.layers; ++block) {
    const std::int64_t type =
        block_type(chain, spec, is_moe_block(spec, block), attention_window(spec, block));
    if (chain.runs.back().type == type) {
      ++chain.runs.back().count;
    } else {
      chain.runs.push_back({type, 1});
    }
  }
  chain.types.push_back(build_head(spec));
  chain.runs.push_back({std::ssize(chain.types) - 1, 1});
  return chain;
}

ModelParameters count_parameters(const ModelSpec& spec) {
  const LayerChain chain = build_chain(spec);
  ModelParameters sum;
  for (const LayerRun& run : chain.runs) {
    const LayerType& layer = chain.types[static_cast<std::size_t>(run.type)];
    sum.total += run.count * layer.parameters.total();
    sum.active += run.count * layer.active_parameters;
    sum.matmul_active += run.count * active_matrix_weights(layer, spec.moe.top_k);
  }
  if (spec.tied_embeddings) {
    sum.total -= spec.vocab_size * spec.hidden_size;
    sum.active -= spec.vocab_size * spec.hidden_size;
  }
  sum.embedding = embedding_tables(spec);
  return sum;
}

double model_flops_per_token(const ModelSpec& spec, std::int64_t sequence_length) {
  const bool latent = spec.mla.kv_lora_rank > 0;
  // Scores take the query-key size, the weighted sum the value size; equal without MLA.
  const std::int64_t head_dims =
      latent ? spec.mla.qk_nope_head_dim + spec.mla.qk_rope_head_dim + spec.mla.v_head_dim
             : 2 * spec.head_dim;
  const double matrices = 6.0 * static_cast<double>(count_parameters(spec).matmul_active);
  const double attention = 6.0 * static_cast<double>(spec.layers) *
                           static_cast<double>(spec.heads) * static_cast<double>(head_dims) *
                           static_cast<double>(sequence_length);
  return matrices + attention;
}

}  // namespace nestplan
