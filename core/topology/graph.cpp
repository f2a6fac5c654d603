// Reduction in four steps: cluster by bandwidth into nested partitions; number the devices so that
// a group is a run of ranks; give each level the arity of its most common group and the rate that
// its pairs really get; compare every pair of devices with its level.
#include "topology/graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/math.h"
#include "topology/graph_clusters.h"
#include "topology/graph_routes.h"

namespace nestplan {
namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// The order of the links must not matter, not even to rounding.
DeviceGraph canonical(DeviceGraph graph) {
  for (GraphLink& link : graph.links)
    if (link.a > link.b) std::swap(link.a, link.b);
  std::sort(graph.links.begin(), graph.links.end(), [](const GraphLink& x, const GraphLink& y) {
    return std::tuple(x.a, x.b, x.bandwidth.value(), x.latency.value()) <
           std::tuple(y.a, y.b, y.bandwidth.value(), y.latency.value());
  });
  return graph;
}

class Reduction {
 public:
  explicit Reduction(const DeviceGraph& graph)
      : graph_(graph),
        partitions_(cluster_by_bandwidth(graph)),
        pairs_(pair_rates(graph, partitions_)) {}
  [[nodiscard]] GraphReduction run();

 private:
  void place(std::int64_t partition, std::int64_t group);
  void add_level(std::int64_t partition);
  void measure_switch(std::int64_t partition, Level& level) const;
  [[nodiscard]] bool form_torus(std::int64_t partition, Level& level) const;
  [[nodiscard]] double rate_of(const Level& level) const;
  [[nodiscard]] double latency_of(const Level& level, std::int64_t child, std::int64_t other) const;
  [[nodiscard]] std::pair<double, double> rate_and_latency(std::int64_t rank,
                                                           std::int64_t other) const;
  void compare();

  const DeviceGraph& graph_;
  std::vector<Partition> partitions_;
  PairRates pairs_;
  GraphReduction result_;
  std::vector<std::int64_t> capacity_;  // devices of a group, by level
};

// Larger groups come first (arrange), so that the partial group is the last.
void Reduction::place(std::int64_t partition, std::int64_t group) {
  if (partition == 0) {
    result_.order.push_back(group);
    return;
  }
  const Arrangement arrangement =
      arrange(graph_, partitions_[index(partition - 1)], partitions_[index(partition)], group);
  for (const std::int64_t child : arrangement.children) place(partition - 1, child);
}

// A partition whose most common group is no larger than the level below adds no level: its few
// larger groups are priced at the next one.
void Reduction::add_level(std::int64_t partition) {
  std::map<std::int64_t, std::int64_t> groups;  // by size
  for (const std::int64_t size : group_sizes(graph_, partitions_[index(partition)]))
    if (size > 0) ++groups[size];
  const auto common =
      std::max_element(groups.begin(), groups.end(),
                       [](const auto& a, const auto& b) { return a.second <= b.second; });
  const std::int64_t below = capacity_.empty() ? 1 : capacity_.back();
  const std::int64_t arity = ceil_div(common->first, below);
  if (arity < 2) return;
  Level level{.name = "level " + std::to_string(result_.levels.size() + 1),
              .arity = arity,
              .bandwidth = BytesPerSecond(0),
              .efficiency = 1,
              .latency = Seconds(0),
              .kind = LevelKind::kSwitch,
              .dims = {}};
  if (!form_torus(partition, level)) measure_switch(partition, level);
  result_.levels.push_back(level);
  capacity_.push_back(below * arity);
}

// Every group must be the same ring or torus. `bandwidth` is then that of one dimension, both ways
// round, for each device of a child.
bool Reduction::form_torus(std::int64_t partition, Level& level) const {
  const Partition& inner = partitions_[index(partition - 1)];
  const Partition& outer = partitions_[index(partition)];
  const std::vector<std::int64_t> sizes = group_sizes(graph_, inner);
  const std::int64_t child_size = *std::max_element(sizes.begin(), sizes.end());
  Level torus = level;
  for (std::int64_t group = 0; group < graph_.devices; ++group) {
    if (outer[index(group)] != group) continue;
    const Arrangement found = arrange(graph_, inner, outer, group);
    const BytesPerSecond bandwidth = 2 / static_cast<double>(child_size) * found.bandwidth;
    if (found.dims.empty() || std::ssize(found.children) != level.arity) return false;
    if (!torus.dims.empty() && (torus.dims != found.dims || torus.bandwidth != bandwidth))
      return false;
    torus.dims = found.dims;
    torus.bandwidth = bandwidth;
    torus.latency = max(torus.latency, found.latency);
  }
  torus.kind = torus.dims.size() == 1 ? LevelKind::kRing : LevelKind::kTorus;
  level = torus;
  return true;
}

// The slowest pair: a collective waits for it. Latency is the mean.
void Reduction::measure_switch(std::int64_t partition, Level& level) const {
  double slowest = 0;
  double latency = 0;
  std::int64_t count = 0;
  for (std::int64_t from = 0; from < graph_.devices; ++from)
    for (std::int64_t to = 0; to < graph_.devices; ++to) {
      if (from == to || shared_partition(partitions_, from, to) != partition) continue;
      const double rate = pairs_.rate.at(from, to);
      slowest = count == 0 ? rate : std::min(slowest, rate);
      latency += pairs_.latency.at(from, to);
      ++count;
    }
  level.bandwidth = BytesPerSecond(slowest);
  level.latency = Seconds(latency / static_cast<double>(count));
}

// What a level gives a device that sends evenly to all other children of its group. On a torus a
// message takes mean_hops links of a dimension, and there are two such links per child.
double Reduction::rate_of(const Level& level) const {
  double most_hops = level.dims.empty() ? 1 : 0;
  const double children = static_cast<double>(level.arity);
  for (const std::int64_t size : level.dims) {
    const std::int64_t hops = size * size / 4;  // from one child to all of the ring, in sum
    const double mean_hops =
        static_cast<double>(hops) / static_cast<double>(size) * children / (children - 1);
    most_hops = std::max(most_hops, mean_hops);
  }
  return level.bandwidth.value() / most_hops;
}

double Reduction::latency_of(const Level& level, std::int64_t child, std::int64_t other) const {
  if (level.dims.empty()) return level.latency.value();
  double hops = 0;
  for (const std::int64_t size : level.dims) {
    const std::int64_t apart = std::abs(child % size - other % size);
    hops += static_cast<double>(std::min(apart, size - apart));
    child /= size;
    other /= size;
  }
  return hops * level.latency.value();
}

// As build_network reads levels: the narrowest and the slowest on the way out to where the ranks
// meet.
std::pair<double, double> Reduction::rate_and_latency(std::int64_t rank, std::int64_t other) const {
  double rate = rate_of(result_.levels.front());
  double latency = 0;
  std::int64_t below = 1;
  for (std::size_t l = 0;; ++l) {
    const Level& level = result_.levels[l];
    rate = std::min(rate, rate_of(level));
    if (rank / capacity_[l] == other / capacity_[l]) {
      const double here =
          latency_of(level, rank / below % level.arity, other / below % level.arity);
      return {rate, std::max(latency, here)};
    }
    latency = std::max(latency, level.latency.value());
    below = capacity_[l];
  }
}

void Reduction::compare() {
  const auto add = [](RelativeError& error, double model, double graph) {
    const double off = model == graph ? 0 : graph > 0 ? std::abs(model - graph) / graph : 1;
    error.max = std::max(error.max, off);
    error.mean += off;
  };
  for (std::int64_t from = 0; from < graph_.devices; ++from)
    for (std::int64_t to = 0; to < graph_.devices; ++to) {
      if (from == to) continue;
      const auto [rate, latency] = rate_and_latency(from, to);
      const std::int64_t a = result_.order[index(from)];
      const std::int64_t b = result_.order[index(to)];
      add(result_.bandwidth, rate, pairs_.rate.at(a, b));
      add(result_.latency, latency, pairs_.latency.at(a, b));
    }
  const double count = static_cast<double>(graph_.devices * (graph_.devices - 1));
  result_.bandwidth.mean /= count;
  result_.latency.mean /= count;
}

GraphReduction Reduction::run() {
  const std::int64_t outermost = std::ssize(partitions_) - 1;
  place(outermost, 0);
  for (std::int64_t partition = 1; partition <= outermost; ++partition) add_level(partition);
  compare();
  return result_;
}

}  // namespace

std::vector<std::int64_t> unreachable_devices(const DeviceGraph& graph) {
  std::vector<std::vector<std::int64_t>> next(index(graph.devices + graph.switches));
  for (const GraphLink& link : graph.links) {
    next[index(link.a)].push_back(link.b);
    next[index(link.b)].push_back(link.a);
  }
  std::vector<bool> seen(next.size(), false);
  std::vector<std::int64_t> open{0};
  seen.front() = true;
  while (!open.empty()) {
    const std::int64_t vertex = open.back();
    open.pop_back();
    for (const std::int64_t other : next[index(vertex)]) {
      if (seen[index(other)]) continue;
      seen[index(other)] = true;
      open.push_back(other);
    }
  }
  std::vector<std::int64_t> missing;
  for (std::int64_t device = 0; device < graph.devices; ++device)
    if (!seen[index(device)]) missing.push_back(device);
  return missing;
}

GraphReduction reduce_graph(const DeviceGraph& graph) {
  const DeviceGraph sorted = canonical(graph);
  return Reduction(sorted).run();
}

}  // namespace nestplan
