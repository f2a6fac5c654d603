#include "cost/layer_cost.h"

#include <algorithm>

#include "base/math.h"
#include "cost/collectives.h"
#include "cost/compute.h"

namespace nestplan {
namespace {

// Bytes moved per saved or produced element by fused elementwise kernels. Fitted counts: norms,
// residuals, rotary embedding, activation function; backward moves twice as much.
constexpr double kBlockTraffic = 20;
constexpr double kHeadsTraffic = 4;
constexpr double kLatentTraffic = 8;
constexpr double kMlpTraffic = 2;
constexpr double kEmbeddingTraffic = 16;
constexpr double kLogitTraffic = 0.55 * 26;
constexpr double kPermuteFactor = 1.63;
constexpr double kPermuteTraffic = 12;
constexpr double kRouterTraffic = 4;
constexpr double kHostRecompute = 0.33;
constexpr double kWorkingFactor = 1.43;  // recomputed activations and their gradients at once
constexpr std::int64_t kJoinExponent = 6;

double as_double(std::int64_t count) { return static_cast<double>(count); }

// Sizes of one micro-batch on one rank.
struct Sizes {
  double tokens, hidden, sequence_share;
  double heads, kv_heads;  // local
  double qk_dim, v_dim;
  double mlp_width;     // dense or shared MLP, local
  double mlp_matrices;  // 2 gated, 1 not
  double routed_rows;   // tokens for local experts
  double expert_width;  // local
  double local_experts;
};

Sizes sizes_of(const Job& job, const Config& c, const LayerType& type) {
  const ModelSpec& m = job.model;
  const bool latent = m.mla.kv_lora_rank > 0;
  const double tokens = local_tokens(job, c);
  const double width = as_double(type.moe ? m.moe.shared_ffn_size : m.ffn_size);
  return {.tokens = tokens,
          .hidden = as_double(m.hidden_size),
          .sequence_share = sequence_share(c),
          .heads = as_double(m.heads) / as_double(c.tp),
          .kv_heads = std::max(1.0, as_double(m.kv_heads) / as_double(c.tp)),
          .qk_dim = as_double(m.head_dim),
          .v_dim = as_double(latent ? m.mla.v_head_dim : m.head_dim),
          .mlp_width = width / as_double(c.tp),
          .mlp_matrices = m.gated_mlp ? 2.0 : 1.0,
          .routed_rows = tokens * as_double(m.moe.top_k * c.etp) / as_double(c.tp),
          .expert_width = as_double(m.moe.expert_ffn_size) / as_double(c.etp),
          .local_experts = as_double(m.moe.experts) / as_double(c.ep)};
}

MatmulShape shape_of(const Matmul& matmul, const Sizes& s, const Config& c) {
  if (matmul.expert) {
    const bool column = matmul.shard == Shard::kColumn;
    const double split = as_double(c.etp);
    return {s.routed_rows, as_double(matmul.out) / (column ? split : 1),
            as_double(matmul.in) / (column ? 1 : split), s.local_experts};
  }
  const double split = as_double(c.tp);
  switch (matmul.shard) {
    case Shard::kColumn: return {s.tokens, as_double(matmul.out) / split, as_double(matmul.in), 1};
    case Shard::kRow: return {s.tokens, as_double(matmul.out), as_double(matmul.in) / split, 1};
    case Shard::kReplicated: break;
  }
  return {s.tokens * s.sequence_share, as_double(matmul.out), as_double(matmul.in), 1};
}

// Keys each query attends to, times two (attention_time halves for the causal mask).
double context_length(const Job& job, const LayerType& type) {
  const double s = as_double(job.training.sequence_length);
  const double window = as_double(type.attention_window);
  if (window <= 0 || window >= s) return s;
  if (!job.model.causal) return std::min(s, 2 * window);
  return 2 * window - window * window / s;
}

struct BlockCompute {
  ForwardBackward matmul;
  ForwardBackward attention;
  ForwardBackward attention_side;  // elementwise
  ForwardBackward mlp_side;        // elementwise, with expert permutation
  Seconds last_forward;            // of the block's last matmul
  [[nodiscard]] ForwardBackward total() const {
    ForwardBackward sum = matmul;
    sum += attention;
    sum += attention_side;
    sum += mlp_side;
    return sum;
  }
};

ForwardBackward twice_back(Seconds forward) { return {forward, forward * 2}; }

BlockCompute block_compute(const Job& job, const Config& c, const LayerType& type) {
  const Sizes s = sizes_of(job, c, type);
  const Accelerator& a = job.accelerator;
  BlockCompute compute;
  for (const Matmul& matmul : type.matmuls) {
    const ForwardBackward time = matmul_time(a, job.stack, shape_of(matmul, s, c));
    compute.matmul += time;
    compute.last_forward = time.forward;
  }
  compute.attention = attention_time(a, s.tokens, context_length(job, type), s.heads, s.qk_dim,
                                     s.v_dim, job.model.causal);
  const LatentAttention& mla = job.model.mla;
  const double factor = job.stack.elementwise_factor;
  const double attention_bytes =
      kBlockTraffic * s.tokens * s.hidden * s.sequence_share +
      kHeadsTraffic * s.tokens * (s.heads + s.kv_heads) * s.qk_dim +
      kLatentTraffic * s.tokens * as_double(mla.q_lora_rank + mla.kv_lora_rank);
  compute.attention_side = twice_back(memory_time(a, factor * attention_bytes));
  const double rows = kMlpTraffic * (s.mlp_matrices + 1);
  double mlp_bytes = rows * s.tokens * s.mlp_width;
  if (type.moe) {
    const double local = s.tokens * s.sequence_share;
    mlp_bytes += kPermuteFactor * job.stack.moe_factor *
                 (kPermuteTraffic * local * as_double(job.model.moe.top_k) * s.hidden +
                  rows * s.routed_rows * s.expert_width +
                  kRouterTraffic * local * as_double(job.model.moe.experts));
  }
  compute.mlp_side = twice_back(memory_time(a, factor * mlp_bytes));
  return compute;
}

// Tensor parallelism, one direction: an all-gather and a reduce-scatter around attention and around
// the MLP (without sequence parallelism an all-reduce each, which is the same two). A stack hides
// them behind the matmuls only inside the fastest fabric: beyond it all of the time is exposed.
Seconds tensor_time(const Job& job, const Config& c, const LayerLinks& links) {
  if (c.tp == 1) return Seconds(0);
  const CollectiveTable table(Collective::kAllGather, job.network, links.tensor);
  const Bytes whole(2 * local_tokens(job, c) * as_double(job.model.hidden_size));
  const std::vector<NetworkLevel>& levels = job.network.levels;
  const auto span = static_cast<std::size_t>(span_of(links.tensor));
  const bool hides = levels[span].bandwidth >= levels.front().bandwidth;
  return table.time(whole) * 4 * (hides ? job.stack.tp_exposed : 1);
}

// Ring attention: keys and values pass all cp - 1 peers behind the attention of the part at hand;
// the slowest link is crossed by one rank at a time. Source: arXiv 2310.01889.
ForwardBackward context_time(const Job& job, const Config& c, const LayerLinks& links,
                             const Sizes& s, const ForwardBackward& attention) {
  if (c.cp == 1) return {};
  const Affine hop = point_to_point(job.network, span_of(links.context));
  const Bytes part(2 * s.tokens * s.kv_heads * (s.qk_dim + s.v_dim));
  const Seconds ring = hop.at(part) * as_double(c.cp - 1);
  const auto exposed = [&](Seconds transfer, Seconds hiding) {
    return max(Seconds(0), transfer - hiding) + job.stack.cp_exposed * transfer;
  };
  return {exposed(ring, attention.forward), exposed(ring * 2, attention.backward)};
}

// Expert parallelism, one direction: dispatch and combine, and with etp the gathering of the routed
// tokens over it.
Seconds expert_time(const Job& job, const Config& c, const LayerLinks& links, const Sizes& s) {
  Seconds time(0);
  if (c.ep > 1) {
    const bool across = span_of(links.expert) > 0;
    const double exposed = across ? job.stack.ep_exposed_inter : job.stack.ep_exposed_intra;
    time += all_to_all_time(job, c, links) * 2 * exposed * job.stack.moe_factor +
            job.stack.all_to_all_launch;
  }
  if (c.etp > 1) {
    const CollectiveTable table(Collective::kAllGather, job.network, links.expert_tensor);
    time += table.time(Bytes(2 * s.routed_rows * s.hidden)) * 2;
  }
  return time;
}

// Activations kept for the backward pass. Source: arXiv 2205.05198, section 4.1, with flash
// attention (no score matrix); experts keep their routed inputs and outputs besides.
Bytes saved_activations(const Job& job, const Sizes& s, const LayerType& type) {
  const double elementwise = job.stack.activation_factor * 8 * s.hidden * s.sequence_share;
  const LatentAttention& mla = job.model.mla;
  const double attention = 2 * (s.heads + s.kv_heads) * (s.qk_dim + s.v_dim) + 4 * s.heads +
                           2 * as_double(mla.q_lora_rank + mla.kv_lora_rank);
  const double mlp = 2 * (s.mlp_matrices + 1) * s.mlp_width;
  double bytes = s.tokens * (elementwise + attention + mlp);
  if (type.moe) {
    bytes += s.routed_rows * (2 * (s.mlp_matrices + 1) * s.expert_width + 4 * s.hidden);
  }
  return Bytes(bytes);
}

// (work^p + host^p)^(1/p): whichever of device and host is slower decides, softly where they meet.
// Fitted as one join of both directions; equal to two where backward takes twice as long.
Seconds join_host(Seconds work, Seconds host) {
  if (host <= Seconds(0) || work <= Seconds(0)) return max(work, host);
  const double ratio = min(work, host) / max(work, host);
  double power = ratio;
  for (std::int64_t i = 1; i < kJoinExponent; ++i) power *= ratio;
  return max(work, host) * pow_of(1 + power, 1.0 / static_cast<double>(kJoinExponent));
}

Seconds host_time(const Job& job, const Sizes& s, const LayerType& type) {
  const Stack& stack = job.stack;
  if (!type.moe) return stack.host_per_layer;
  return (stack.host_per_layer * stack.host_moe_factor + stack.host_per_expert * s.local_experts) *
         stack.moe_factor;
}

// Waiting for the host counts in either direction by itself, a third of the launches forward: then
// whatever shortens a direction shortens the load at least as much as it shortens what a transfer
// can hide behind, waiting included.
void wait_for_host(RecomputeCost& cost, Seconds host) {
  constexpr double kForwardLaunches = 1.0 / 3;
  const Seconds work = cost.parts.total();
  cost.forward = join_host(cost.forward, host * kForwardLaunches);
  cost.backward = join_host(cost.backward, host * (1 - kForwardLaunches));
  cost.parts.host = max(Seconds(0), cost.forward + cost.backward - work);  // not -1 rounding
  cost.load = cost.parts.total();
}

struct BlockTimes {
  BlockCompute compute;
  Seconds tensor;
  ForwardBackward context;
  Seconds expert;
};

RecomputeCost block_under(Recompute kind, const Job& job, const BlockTimes& t) {
  const ForwardBackward compute = t.compute.total();
  RecomputeCost cost;
  LoadParts& p = cost.parts;
  p.forward = compute.forward;
  p.backward = compute.backward;
  p.tensor_parallel = t.tensor * 2;
  p.context_parallel = t.context.forward + t.context.backward;
  p.expert_parallel = t.expert * 2;
  cost.forward = compute.forward + t.tensor + t.context.forward + t.expert;
  cost.backward = compute.backward + t.tensor + t.context.backward + t.expert;
  switch (kind) {
    case Recompute::kNone: break;
    case Recompute::kSelective:
      p.recompute = t.compute.attention_side.forward * 0.5;
      cost.backward += p.recompute;
      break;
    case Recompute::kFull:
      p.recompute = compute.forward;
      if (job.stack.recompute_stops_early) p.recompute -= t.compute.last_forward;
      p.tensor_parallel += t.tensor;
      p.context_parallel += t.context.forward;
      p.expert_parallel += t.expert;
      cost.backward += p.recompute + t.tensor + t.context.forward + t.expert;
      break;
  }
  return cost;
}

void price_block(LayerCost& layer, const Job& job, const Config& c, const LayerType& type,
                 const LayerLinks& links) {
  const Sizes s = sizes_of(job, c, type);
  BlockTimes times;
  times.compute = block_compute(job, c, type);
  times.tensor = tensor_time(job, c, links);
  times.context = context_time(job, c, links, s, times.compute.attention);
  if (type.moe) times.expert = expert_time(job, c, links, s);
  const Bytes saved = saved_activations(job, s, type);
  const Bytes input(2 * s.tokens * s.hidden * s.sequence_share);
  const Seconds host = host_time(job, s, type);
  for (const Recompute kind : {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
    RecomputeCost& cost = layer.recompute[static_cast<std::size_t>(kind)];
    cost = block_under(kind, job, times);
    cost.saved = saved;
    // Selective with flash attention recomputes the two norms: their outputs need not be kept.
    if (kind == Recompute::kSelective) cost.saved -= input * (2 * job.stack.activation_factor);
    if (kind == Recompute::kFull) {
      cost.saved = input;
      cost.working = saved * kWorkingFactor;
    }
    wait_for_host(cost, kind == Recompute::kFull ? host * (1 + kHostRecompute) : host);
  }
}

void price_end(LayerCost& layer, const Job& job, const Config& c, const LayerType& type) {
  const Sizes s = sizes_of(job, c, type);
  RecomputeCost cost;
  if (type.kind == LayerKind::kEmbedding) {
    const Seconds half = memory_time(
        job.accelerator, kEmbeddingTraffic / 2 * s.tokens * s.hidden * s.sequence_share);
    cost.parts.forward = half;
    cost.parts.backward = half;
  } else {
    ForwardBackward time;
    for (const Matmul& matmul : type.matmuls) {
      time += matmul_time(job.accelerator, job.stack, shape_of(matmul, s, c));
    }
    const double logits = s.tokens * as_double(job.model.vocab_size) / as_double(c.tp);
    const Seconds third = memory_time(
        job.accelerator, (kLogitTraffic * logits + 8 * s.tokens * s.hidden * s.sequence_share) / 3);
    time += twice_back(third);
    cost.parts.forward = time.forward;
    cost.parts.backward = time.backward;
  }
  cost.forward = cost.parts.forward;
  cost.backward = cost.parts.backward;
  cost.load = cost.parts.total();
  layer.recompute = {cost, cost, cost};
}

void count_parameters(LayerCost& layer, const Job& job, const Config& c, const LayerType& type) {
  const double tp = as_double(c.tp);
  layer.dense_parameters =
      as_double(type.parameters.sharded) / tp + as_double(type.parameters.replicated);
  layer.expert_parameters = as_double(type.parameters.experts) / as_double(c.ep * c.etp);
  const std::int64_t kv = job.model.kv_heads;
  if (layer.block && job.model.mla.kv_lora_rank == 0 && c.tp > kv) {
    // Every rank holds one whole key and value head: kv heads are replicated tp / kv times.
    layer.dense_parameters +=
        2 * as_double(job.model.hidden_size * job.model.head_dim) * (1 - as_double(kv) / tp);
  }
  layer.gathered_parameters = layer.dense_parameters + layer.expert_parameters;
}

}  // namespace

double local_tokens(const Job& job, const Config& config) {
  return as_double(config.mbs * job.training.sequence_length) / as_double(config.cp);
}

double sequence_share(const Config& config) { return config.sp ? 1 / as_double(config.tp) : 1; }

Seconds all_to_all_time(const Job& job, const Config& c, const LayerLinks& links) {
  const double tokens_bytes =
      2 * local_tokens(job, c) * sequence_share(c) * as_double(job.model.hidden_size);
  const double top_k = as_double(job.model.moe.top_k);
  const double ep = as_double(c.ep);
  const double inside = as_double(links.expert.within[0]);
  const double nodes = ep / inside;
  // A given other node holds at least one of k experts drawn evenly: 1 - (1 - 1/nodes)^k.
  const double used = nodes > 1 ? 1 - pow_of(1 - 1 / nodes, top_k) : 0;
  const NetworkLevel& inner = job.network.levels.front();
  Seconds time = Bytes(tokens_bytes * top_k * (ep - 1) / ep) / inner.bandwidth;
  for (std::size_t l = 1; l < job.network.levels.size(); ++l) {
    const double below = as_double(links.expert.within[l - 1]);
    if (below >= ep) break;
    const double others = (ep - below) / inside;
    const Bytes bytes(tokens_bytes * used * others);
    time = max(time, bytes / (job.network.levels[l].bandwidth * job.stack.all_to_all_efficiency));
  }
  return time;
}

LayerLinks layer_links(const Config& config, const Network& network) {
  const GroupLayout layout = layout_groups(config);
  const std::int64_t used = config.devices();
  return {members_of(layout.tensor, network, used), members_of(layout.context, network, used),
          members_of(layout.expert, network, used),
          members_of(layout.expert_tensor, network, used)};
}

LayerLinks innermost_links(const Config& config, const Network& network) {
  const auto alone = [&network](std::int64_t size) { return innermost_members(size, network); };
  return {alone(config.tp), alone(config.cp), alone(config.ep), alone(config.etp)};
}

std::vector<LayerCost> layer_costs(const Job& job, const Config& config, const LayerLinks& links) {
  std::vector<LayerCost> costs;
  costs.reserve(job.chain.types.size());
  for (const LayerType& type : job.chain.types) {
    LayerCost layer;
    layer.block = type.kind == LayerKind::kBlock;
    count_parameters(layer, job, config, type);
    if (layer.block) {
      price_block(layer, job, config, type, links);
    } else {
      price_end(layer, job, config, type);
    }
    costs.push_back(layer);
  }
  return costs;
}

}  // namespace nestplan
