// Bounds, each at most the step of every leaf below the node:
//  class  M max >= M W / pp, with W the load of the whole chain, every group innermost (no
//  placement
//         is cheaper: collective times fall when members move inwards, see innermost_members) and
//         no recompute; and dp pp tp cp <= N. So batch tp cp W / (mbs N), growth >= 1.
//  split  (M - 1/v) longest + sum / v with longest >= max(W / pp, heaviest layer), sum >= W, v the
//         largest legal one (the expression falls with v as longest <= sum), plus the optimizer's
//         time for an average stage under the strongest sharding.
//  leaf   the same with the collectives of its order: stage_bound, over all option sets.
#include "search/search.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/math.h"
#include "cost/placement.h"

namespace nestplan {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// A node is dropped only when its bound is above the best by more than rounding.
constexpr double kRounding = 1e-12;

constexpr std::size_t kSeedTries = 32;
constexpr std::int64_t kSeeds = 6;

enum class NodeKind : std::int8_t { kClass, kSplit, kLeaf };

struct Node {
  Seconds bound;
  NodeKind kind = NodeKind::kClass;
  std::int32_t strategy = 0;  // index of its class
  std::int32_t dp = 1;
  std::int32_t pp = 1;
  std::int32_t vpp = 1;
  std::int32_t order = 0;   // index into the distinct orders of its configuration
  std::int64_t number = 0;  // made n-th: a total order, so that the search is deterministic
};

struct LaterFirst {
  bool operator()(const Node& a, const Node& b) const {
    if (a.bound != b.bound) return a.bound > b.bound;
    if (a.kind != b.kind) return a.kind < b.kind;  // leaves before classes
    return a.number > b.number;
  }
};

// The same job on a network in which every ring and line has the ring's rate, as a switch.
Job with_closed_rings(Job job) {
  for (NetworkLevel& level : job.network.levels) level.ring_size = 0;
  return job;
}

struct StrategyClass {
  Config config;
  std::vector<LayerCost> layers;  // innermost placement, rings closed
  Seconds load;                   // of the whole chain, no recompute
  Seconds heaviest;               // single layer
  double dense_parameters = 0;
  double expert_parameters = 0;
};

}  // namespace

struct Search::State {
  Job job;
  Job closed;  // for bounds
  bool rings = false;
  FixedDegrees fixed;
  ChainCounts chain;
  std::int64_t keep = 1;
  std::vector<StrategyClass> classes;
  std::vector<Node> heap;
  std::vector<Solution> best;
  SearchStatus status;

  State(const Job& j, const FixedDegrees& f, std::int64_t k)
      : job(j), closed(with_closed_rings(j)), fixed(f), chain(job.chain), keep(k) {
    for (const NetworkLevel& level : job.network.levels) rings = rings || level.ring_size > 0;
  }

  // What a plan must beat to be among the best kept.
  [[nodiscard]] Seconds limit() const {
    return std::ssize(best) < keep ? Seconds(kInfinite) : best.back().step;
  }
  [[nodiscard]] bool hopeless(Seconds bound) const {
    return bound * (1 - kRounding) > limit() || !(bound < Seconds(kInfinite));
  }
  [[nodiscard]] LeafInput input() const { return {&job, &chain, &fixed}; }

  void add_class(const Config& config);
  void push(Node node);
  void expand(const Node& node);
  [[nodiscard]] Seconds leaf_bound(const Node& node, const Config& config) const;
  [[nodiscard]] std::vector<Node> splits_of(const Node& node) const;
  bool dive(std::vector<Node> splits);
  void seed();
  void expand_class(const Node& node);
  void expand_split(const Node& node);
  void price(const Node& node);
  void remember(const Solution& solution);
  [[nodiscard]] Config config_of(const Node& node) const;
  [[nodiscard]] Seconds split_bound(const StrategyClass& strategy, const Config& config) const;
  [[nodiscard]] std::vector<std::int64_t> chunk_counts(const Config& config) const;
  [[nodiscard]] std::vector<LayerCost> placed_layers(const Node& node, const Config& config) const;
};

void Search::State::add_class(const Config& config) {
  StrategyClass strategy;
  strategy.config = config;
  strategy.layers = layer_costs(closed, config, innermost_links(config, closed.network));
  const StageContent all = chain.content(strategy.layers, Recompute::kNone, 0, chain.size());
  strategy.load = all.load;
  strategy.dense_parameters = all.dense_parameters;
  strategy.expert_parameters = all.expert_parameters;
  for (const LayerCost& layer : strategy.layers) {
    strategy.heaviest = max(strategy.heaviest, layer.under(Recompute::kNone).load);
  }
  Node node;
  node.strategy = static_cast<std::int32_t>(classes.size());
  const auto used = static_cast<double>(config.tp * config.cp);
  node.bound = strategy.load * (static_cast<double>(job.training.global_batch_sequences) * used /
                                static_cast<double>(config.mbs * job.network.devices)) +
               job.stack.fixed_per_step;
  classes.push_back(std::move(strategy));
  push(node);
}

void Search::State::push(Node node) {
  node.number = status.nodes_made++;
  if (hopeless(node.bound)) {
    ++status.nodes_pruned;
    return;
  }
  heap.push_back(node);
  std::push_heap(heap.begin(), heap.end(), LaterFirst{});
  status.heap_peak = std::max<std::int64_t>(status.heap_peak, std::ssize(heap));
}

Config Search::State::config_of(const Node& node) const {
  Config config = classes[static_cast<std::size_t>(node.strategy)].config;
  config.dp = node.dp;
  config.pp = node.pp;
  config.vpp = node.vpp;
  config.schedule = job.stack.gpipe  ? Schedule::kGpipe
                    : config.vpp > 1 ? Schedule::kInterleaved
                                     : Schedule::k1F1B;
  if (node.kind == NodeKind::kLeaf) {
    config.order = distinct_orders(job, config, fixed)[static_cast<std::size_t>(node.order)];
  }
  return config;
}

std::vector<std::int64_t> Search::State::chunk_counts(const Config& config) const {
  std::vector<std::int64_t> counts;
  const std::int64_t most = config.pp == 1 ? 1 : job.stack.max_vpp;
  for (std::int64_t v = 1; v <= most; ++v) {
    Config chunked = config;
    chunked.vpp = v;
    if ((!fixed.vpp || v == *fixed.vpp) && interleaves(job, chunked)) counts.push_back(v);
  }
  return counts;
}

Seconds Search::State::split_bound(const StrategyClass& strategy, const Config& config) const {
  const std::vector<std::int64_t> counts = chunk_counts(config);
  if (counts.empty()) return Seconds(kInfinite);
  const auto v = static_cast<double>(counts.back());
  const auto pp = static_cast<double>(config.pp);
  const auto m =
      static_cast<double>(job.training.global_batch_sequences / (config.mbs * config.dp));
  const Seconds longest = max(strategy.load / pp, strategy.heaviest);
  const double growth = 1 + job.stack.growth_per_doubling *
                                log2_of(std::max(1.0, static_cast<double>(config.devices()) / 8));
  const StateBytes state = state_bytes(job.training);
  const std::vector<std::int64_t>& zero = job.stack.zero;
  const bool sharded = std::any_of(zero.begin(), zero.end(), [](std::int64_t z) { return z > 0; });
  const double replicas = sharded ? static_cast<double>(config.dp * config.cp) : 1;
  const double experts = sharded ? static_cast<double>(expert_replicas(config)) : 1;
  const double traffic =
      (2 * state.optimizer + 2 * state.gradients + state.weights) / pp *
      (strategy.dense_parameters / replicas + strategy.expert_parameters / experts);
  const Seconds optimizer =
      Bytes(traffic) / (job.accelerator.memory_bandwidth * job.accelerator.memory_efficiency);
  return ((m - 1 / v) * longest + strategy.load / v) * growth + optimizer +
         job.stack.fixed_per_step;
}

// The splits of a class that may still win.
std::vector<Node> Search::State::splits_of(const Node& node) const {
  const StrategyClass& strategy = classes[static_cast<std::size_t>(node.strategy)];
  std::vector<Node> splits;
  for (const std::int64_t dp : data_sizes(job, strategy.config, fixed)) {
    const std::int64_t most = job.network.devices / (strategy.config.tp * strategy.config.cp * dp);
    for (std::int64_t pp = 1; pp <= std::min(most, job.model.layers + 2); ++pp) {
      if (fixed.pp && pp != *fixed.pp) continue;
      if (!pp_fault(job, pp).empty()) continue;
      Node child = node;
      child.kind = NodeKind::kSplit;
      child.dp = static_cast<std::int32_t>(dp);
      child.pp = static_cast<std::int32_t>(pp);
      Config config = config_of(child);
      const std::int64_t used = config.devices();
      if (used > job.network.node_size && used % job.network.node_size != 0) continue;
      child.bound = max(node.bound, split_bound(strategy, config));
      if (!hopeless(child.bound)) splits.push_back(child);
    }
  }
  return splits;
}

void Search::State::expand_class(const Node& node) {
  for (const Node& split : splits_of(node)) push(split);
}

std::vector<LayerCost> Search::State::placed_layers(const Node& node, const Config& config) const {
  const StrategyClass& strategy = classes[static_cast<std::size_t>(node.strategy)];
  const LayerLinks links = layer_links(config, job.network);
  if (!rings && links == innermost_links(config, job.network)) return strategy.layers;
  return layer_costs(job, config, links);
}

// Least step of any split of a placed configuration, over the stack's option sets.
Seconds Search::State::leaf_bound(const Node& node, const Config& config) const {
  const StageContext context = make_stage_context(job, config, placed_layers(node, config));
  Seconds bound(kInfinite);
  for (const auto& options : option_sets(job, config, fixed)) {
    const StageProblem problem{&context, &chain, options,
                               std::vector<BlockRange>(static_cast<std::size_t>(config.pp)),
                               job.accelerator.memory};
    bound = min(bound, stage_bound(problem));
  }
  return bound;
}

void Search::State::expand_split(const Node& node) {
  Config config = config_of(node);
  for (const std::int64_t vpp : chunk_counts(config)) {
    Node child = node;
    child.kind = NodeKind::kLeaf;
    child.vpp = static_cast<std::int32_t>(vpp);
    config.vpp = vpp;
    const std::size_t orders = distinct_orders(job, config, fixed).size();
    for (std::size_t o = 0; o < orders; ++o) {
      child.order = static_cast<std::int32_t>(o);
      child.bound = max(node.bound, leaf_bound(child, config_of(child)));
      push(child);
    }
  }
}

// Prices the most promising split of a class that may fit, to have something to prune with (and to
// show) long before a leaf reaches the top of the heap. Only the order of work changes.
bool Search::State::dive(std::vector<Node> splits) {
  constexpr std::size_t kTries = 16;
  std::sort(splits.begin(), splits.end(),
            [](const Node& a, const Node& b) { return LaterFirst{}(b, a); });
  for (std::size_t i = 0; i < std::min(kTries, splits.size()); ++i) {
    Node leaf = splits[i];
    const std::vector<std::int64_t> chunks = chunk_counts(config_of(leaf));
    leaf.kind = NodeKind::kLeaf;
    leaf.vpp = static_cast<std::int32_t>(chunks.front());
    Config config = config_of(splits[i]);
    config.vpp = leaf.vpp;
    if (distinct_orders(job, config, fixed).empty()) continue;
    if (hopeless(leaf_bound(leaf, config_of(leaf)))) continue;
    price(leaf);
    return true;
  }
  return false;
}

// Plain classes first: one sequence per micro-batch, no context parallelism, tensor parallelism
// inside a node; as many ranks per expert group as there can be, because bounds favour few and
// memory then rules them out.
void Search::State::seed() {
  std::vector<std::int32_t> plain;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Config& c = classes[i].config;
    if (c.mbs == classes.front().config.mbs && c.cp == classes.front().config.cp && c.etp == 1 &&
        c.tp <= std::max<std::int64_t>(8, job.network.node_size)) {
      plain.push_back(static_cast<std::int32_t>(i));
    }
  }
  std::stable_sort(plain.begin(), plain.end(), [this](std::int32_t a, std::int32_t b) {
    return classes[static_cast<std::size_t>(a)].config.ep >
           classes[static_cast<std::size_t>(b)].config.ep;
  });
  std::int64_t priced = 0;
  for (std::size_t i = 0; i < std::min(plain.size(), kSeedTries) && priced < kSeeds; ++i) {
    Node node;
    node.strategy = plain[i];
    if (dive(splits_of(node))) ++priced;
  }
}

void Search::State::price(const Node& node) {
  const Config config = config_of(node);
  ++status.leaves_priced;
  const std::optional<Solution> solution =
      solve_leaf(input(), config, placed_layers(node, config), limit());
  if (solution) remember(*solution);
}

void Search::State::remember(const Solution& solution) {
  const auto same_layout = std::find_if(best.begin(), best.end(), [&](const Solution& other) {
    Config config = other.config;
    config.order = solution.config.order;
    config.vpp = solution.config.vpp;
    config.schedule = solution.config.schedule;
    return config == solution.config;
  });
  if (same_layout != best.end()) {
    if (better(*same_layout, solution)) return;
    best.erase(same_layout);
  }
  const auto place = std::find_if(best.begin(), best.end(), [&solution](const Solution& other) {
    return better(solution, other);
  });
  best.insert(place, solution);
  if (std::ssize(best) > keep) best.pop_back();
}

void Search::State::expand(const Node& node) {
  switch (node.kind) {
    case NodeKind::kClass: return expand_class(node);
    case NodeKind::kSplit: return expand_split(node);
    case NodeKind::kLeaf: return price(node);
  }
}

Search::Search(const Job& job, const FixedDegrees& fixed, std::int64_t keep)
    : state_(std::make_unique<State>(job, fixed, std::max<std::int64_t>(1, keep))) {
  for (const Config& config : strategy_classes(job, fixed)) state_->add_class(config);
}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::step(std::int64_t pops) {
  State& s = *state_;
  if (s.status.pops == 0) s.seed();
  for (std::int64_t i = 0; i < pops && !s.status.done; ++i) {
    if (s.heap.empty() || s.hopeless(s.heap.front().bound)) {
      s.status.nodes_pruned += std::ssize(s.heap);
      s.status.done = true;
      s.status.bound = s.best.empty() ? s.limit() : s.best.front().step;
      return;
    }
    std::pop_heap(s.heap.begin(), s.heap.end(), LaterFirst{});
    const Node node = s.heap.back();
    s.heap.pop_back();
    s.status.bound = s.best.empty() ? node.bound : min(node.bound, s.best.front().step);
    ++s.status.pops;
    s.expand(node);
  }
}

const SearchStatus& Search::status() const { return state_->status; }
const std::vector<Solution>& Search::best() const { return state_->best; }

}  // namespace nestplan
