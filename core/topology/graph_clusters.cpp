#include "topology/graph_clusters.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/check.h"

namespace nestplan {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
Pair ordered(std::int64_t a, std::int64_t b) { return {std::min(a, b), std::max(a, b)}; }

// Clusters grow by the strongest links first. The strength of two clusters is the bandwidth between
// them shared by the devices of the smaller side: what each device gets when all talk across.
class Clustering {
 public:
  explicit Clustering(const DeviceGraph& graph);
  // Joins all clusters of the greatest strength and returns that strength.
  double join_strongest();
  [[nodiscard]] std::int64_t device_clusters() const { return device_clusters_; }
  [[nodiscard]] Partition partition() const;

 private:
  [[nodiscard]] std::int64_t root(std::int64_t vertex) const {
    while (parent_[index(vertex)] != vertex) vertex = parent_[index(vertex)];
    return vertex;
  }
  [[nodiscard]] std::vector<double> sharers() const;
  void join(std::int64_t a, std::int64_t b);

  const DeviceGraph& graph_;
  std::vector<std::int64_t> parent_;   // devices before switches: a root is its smallest vertex
  std::vector<std::int64_t> devices_;  // [root]
  std::int64_t device_clusters_;
};

Clustering::Clustering(const DeviceGraph& graph)
    : graph_(graph),
      parent_(index(graph.devices + graph.switches)),
      devices_(index(graph.devices + graph.switches), 0),
      device_clusters_(graph.devices) {
  std::iota(parent_.begin(), parent_.end(), 0);
  std::fill_n(devices_.begin(), graph.devices, 1);
}

Partition Clustering::partition() const {
  Partition groups;
  for (std::int64_t vertex = 0; vertex < std::ssize(parent_); ++vertex) {
    const std::int64_t name = root(vertex);
    groups.push_back(name < graph_.devices ? name : -1);
  }
  return groups;
}

// Per root: devices that share the links leaving it, 0 for a switch by itself. A cluster that has a
// switch speaks for all devices attached to the switch: they will join it before it reaches
// further.
std::vector<double> Clustering::sharers() const {
  std::set<Pair> attached;
  for (const GraphLink& link : graph_.links)
    for (const auto& [from, to] : {Pair{link.a, link.b}, Pair{link.b, link.a}})
      if (from >= graph_.devices && root(from) != root(to)) attached.emplace(root(from), root(to));
  std::vector<double> sharers(devices_.begin(), devices_.end());
  for (const auto& [cluster, other] : attached)
    if (devices_[index(cluster)] > 0)
      sharers[index(cluster)] += static_cast<double>(devices_[index(other)]);
  return sharers;
}

void Clustering::join(std::int64_t a, std::int64_t b) {
  const auto [low, high] = ordered(root(a), root(b));
  if (low == high) return;
  if (devices_[index(high)] > 0) --device_clusters_;  // low has some then: its number is smaller
  parent_[index(high)] = low;
  devices_[index(low)] += devices_[index(high)];
}

double Clustering::join_strongest() {
  std::map<Pair, double> strength;
  for (const GraphLink& link : graph_.links)
    if (root(link.a) != root(link.b))
      strength[ordered(root(link.a), root(link.b))] += link.bandwidth.value();
  const std::vector<double> sharers = this->sharers();
  double strongest = 0;
  for (auto& [pair, value] : strength) {
    const double a = sharers[index(pair.first)];
    const double b = sharers[index(pair.second)];
    value = a == 0 ? 0 : value / (b == 0 ? a : std::min(a, b));  // a == 0: two lone switches
    strongest = std::max(strongest, value);
  }
  CHECK(strongest > 0, "the graph is not connected");
  constexpr double kSame = 1 - 1e-9;  // shares of equal links, rounded
  for (const auto& [pair, value] : strength)
    if (value >= strongest * kSame) join(pair.first, pair.second);
  for (std::int64_t& parent : parent_) parent = root(parent);
  return strongest;
}

// Bandwidth between children, and the longest latency.
using Neighbours = std::map<Pair, GraphLink>;

bool is_torus(const Neighbours& neighbours, const std::vector<std::int64_t>& children,
              const std::vector<std::int64_t>& dims) {
  std::int64_t stride = 1;
  for (const std::int64_t size : dims) {
    for (std::int64_t i = 0; i < std::ssize(children); ++i) {
      const std::int64_t at = i / stride % size;
      const std::int64_t next = i + ((at + 1) % size - at) * stride;
      const auto link = neighbours.find(ordered(children[index(i)], children[index(next)]));
      if (link == neighbours.end() ||
          link->second.bandwidth != neighbours.begin()->second.bandwidth)
        return false;
    }
    stride *= size;
  }
  return std::ssize(neighbours) == std::ssize(children) * std::ssize(dims);
}

// Children along the ring from the first, towards its smaller neighbour; shorter than `children` if
// they form no ring.
std::vector<std::int64_t> along_ring(const Neighbours& neighbours,
                                     const std::vector<std::int64_t>& children) {
  std::map<std::int64_t, std::set<std::int64_t>> next;
  for (const auto& [pair, link] : neighbours) {
    next[pair.first].insert(pair.second);
    next[pair.second].insert(pair.first);
  }
  std::vector<std::int64_t> ring;
  std::set<std::int64_t> seen;
  std::int64_t child = children.front();
  while (seen.insert(child).second) {
    ring.push_back(child);
    if (next[child].size() != 2) return {};
    const auto [low, high] = std::pair(*next[child].begin(), *next[child].rbegin());
    child = seen.contains(low) ? high : low;
  }
  return ring;
}

// Sizes of a torus of `count` in one to three dimensions, each at least 3; one: at least 4.
std::vector<std::vector<std::int64_t>> torus_sizes(std::int64_t count) {
  std::vector<std::vector<std::int64_t>> sizes;
  if (count >= 4) sizes.push_back({count});
  for (std::int64_t x = 3; x * 3 <= count; ++x) {
    if (count % x != 0) continue;
    sizes.push_back({x, count / x});
    for (std::int64_t y = 3; x * y * 3 <= count; ++y)
      if (count / x % y == 0) sizes.push_back({x, y, count / x / y});
  }
  return sizes;
}

}  // namespace

std::vector<Partition> cluster_by_bandwidth(const DeviceGraph& graph) {
  Clustering clustering(graph);
  std::vector<Partition> partitions{clustering.partition()};
  std::vector<double> strengths{std::numeric_limits<double>::max()};
  while (clustering.device_clusters() > 1) {
    const std::int64_t before = clustering.device_clusters();
    const double strength = clustering.join_strongest();
    if (clustering.device_clusters() == before) continue;  // only took in a switch
    partitions.push_back(clustering.partition());
    strengths.push_back(std::min(strength, strengths.back()));
  }
  partitions.back() = Partition(partitions.back().size(), 0);  // switches left over belong to it
  const auto closest = [&] {  // the level least faster than the next
    std::size_t best = 1;
    for (std::size_t i = 2; i + 1 < strengths.size(); ++i)
      if (strengths[i] / strengths[i + 1] < strengths[best] / strengths[best + 1]) best = i;
    return best;
  };
  constexpr double kSameLevel = 1.1;
  while (partitions.size() > 2) {
    const std::size_t level = closest();
    if (std::ssize(partitions) <= kMostGraphLevels + 1 &&
        strengths[level] / strengths[level + 1] >= kSameLevel)
      break;
    partitions.erase(partitions.begin() + static_cast<std::ptrdiff_t>(level));
    strengths.erase(strengths.begin() + static_cast<std::ptrdiff_t>(level));
  }
  return partitions;
}

std::vector<std::int64_t> group_sizes(const DeviceGraph& graph, const Partition& partition) {
  std::vector<std::int64_t> sizes(index(graph.devices), 0);
  for (std::int64_t device = 0; device < graph.devices; ++device)
    ++sizes[index(partition[index(device)])];
  return sizes;
}

Arrangement arrange(const DeviceGraph& graph, const Partition& inner, const Partition& outer,
                    std::int64_t group) {
  Arrangement result;
  for (std::int64_t device = 0; device < graph.devices; ++device)
    if (outer[index(device)] == group && inner[index(device)] == device)
      result.children.push_back(device);
  Neighbours neighbours;
  bool hub = false;  // a switch between the children
  for (const GraphLink& link : graph.links) {
    if (outer[index(link.a)] != group || outer[index(link.b)] != group) continue;
    const Pair pair = ordered(inner[index(link.a)], inner[index(link.b)]);
    if (pair.first == pair.second) continue;
    hub = hub || pair.first < 0;
    GraphLink& sum = neighbours[pair];
    sum.bandwidth += link.bandwidth;
    sum.latency = max(sum.latency, link.latency);
  }
  std::vector<std::int64_t> natural = result.children;
  const std::vector<std::int64_t> ring = along_ring(neighbours, natural);
  if (ring.size() == natural.size()) natural = ring;
  for (const std::vector<std::int64_t>& dims : torus_sizes(std::ssize(natural))) {
    if (hub || !is_torus(neighbours, natural, dims)) continue;
    result = {natural, dims, neighbours.begin()->second.bandwidth, Seconds(0)};
    for (const auto& [pair, link] : neighbours) result.latency = max(result.latency, link.latency);
    return result;
  }
  const std::vector<std::int64_t> sizes = group_sizes(graph, inner);
  std::stable_sort(
      result.children.begin(), result.children.end(),
      [&](std::int64_t a, std::int64_t b) { return sizes[index(a)] > sizes[index(b)]; });
  return result;
}

}  // namespace nestplan
