// A model as a chain of layers: embedding, blocks, head. Parameters are exact counts; matmuls give
// FLOPs and tensor shapes per token. Nothing here knows about parallelism beyond how a tensor may
// be split.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/spec.h"

namespace nestplan {

enum class LayerKind { kEmbedding, kBlock, kHead };

// How tensor parallelism splits a matrix: its outputs, its inputs, or not at all (replicated).
enum class Shard { kColumn, kRow, kReplicated };

// One matrix product applied to every token (or, for a routed expert, to every routed token).
// `fused` of them side by side share one input (gate and up of a gated MLP; q, k and v).
struct Matmul {
  std::string name;  // "qkv", "attention output", "gate and up", "down", "router", "expert ..."
  std::int64_t in = 0;
  std::int64_t out = 0;  // all fused outputs together
  Shard shard = Shard::kColumn;
  bool expert = false;  // belongs to one routed expert; the block holds `experts` copies
};

// Counts of parameters, split by how they are placed. `total` is their sum.
struct Parameters {
  std::int64_t sharded = 0;     // divided by tp
  std::int64_t replicated = 0;  // on every tp rank: norms, router, latent down-projections
  std::int64_t experts = 0;     // routed experts, all of them: divided by ep * etp
  [[nodiscard]] std::int64_t total() const { return sharded + replicated + experts; }
};

struct LayerType {
  LayerKind kind = LayerKind::kBlock;
  std::string name;  // "embedding", "dense block", "moe block", "head"
  bool moe = false;
  std::int64_t attention_window = 0;  // tokens; 0: full attention
  std::vector<Matmul> matmuls;        // attention score products are not matrices: see cost/compute
  Parameters parameters;
  std::int64_t active_parameters = 0;  // used by one token: top_k routed experts, shared ones, rest
};

// The chain, run-length coded: `count` layers of type `types[type]` in a row.
struct LayerRun {
  std::int64_t type = 0;
  std::int64_t count = 0;
};

struct LayerChain {
  std::vector<LayerType> types;
  std::vector<LayerRun> runs;               // embedding first, head last
  [[nodiscard]] std::int64_t size() const;  // layers in the chain: blocks + 2
  // Type index of every layer, in order.
  [[nodiscard]] std::vector<std::int64_t> expanded() const;
};

// Precondition: `validate_model(spec)` found nothing.
[[nodiscard]] LayerChain build_chain(const ModelSpec& spec);

// Totals as a model card states them. A tied output matrix counts once (in `embedding`).
struct ModelParameters {
  std::int64_t total = 0;
  std::int64_t active = 0;         // input embedding and head included
  std::int64_t embedding = 0;      // all input tables
  std::int64_t matmul_active = 0;  // N of 6N: active matrix weights with the output head (tied or
                                   // not), without embedding tables, norms and biases
};
[[nodiscard]] ModelParameters count_parameters(const ModelSpec& spec);

// Model FLOPs of one token, forward and backward: 6 N + 12 layers * heads * head_dim * sequence
// (no causal halving). Source: PaLM, arXiv 2204.02311, appendix B.
[[nodiscard]] double model_flops_per_token(const ModelSpec& spec, std::int64_t sequence_length);

}  // namespace nestplan
