#include "topology/graph_routes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace nestplan {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::max();

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// A link in one direction: the index of the link times two, plus one for b -> a.
struct Hop {
  std::int64_t to;
  std::int64_t arc;
};

class Router {
 public:
  Router(const DeviceGraph& graph, const std::vector<Partition>& partitions);
  [[nodiscard]] PairRates rates();

 private:
  // Shortest paths from one device over links of at least some width.
  struct Paths {
    std::vector<std::int64_t> order;       // vertices, nearest first
    std::vector<double> count;             // [vertex]: paths to it
    std::vector<double> latency;           // [vertex]: least of them
    std::vector<std::vector<Hop>> before;  // [vertex]: last hops; `to` is where from
    std::map<std::int64_t, std::vector<std::int64_t>> targets;  // by partition: whom they are for
  };
  [[nodiscard]] std::vector<double> widest_from(std::int64_t source) const;
  [[nodiscard]] Paths shortest(std::int64_t source, double width) const;
  [[nodiscard]] std::vector<Paths> routes_from(std::int64_t source) const;
  void add_load(const Paths& paths, std::int64_t source, std::int64_t partition);
  void read_rates(const Paths& paths, std::int64_t source, PairRates& rates) const;
  [[nodiscard]] const GraphLink& link(std::int64_t arc) const {
    return graph_.links[index(arc / 2)];
  }

  const DeviceGraph& graph_;
  const std::vector<Partition>& partitions_;
  std::int64_t vertices_;
  std::vector<std::vector<Hop>> hops_;               // [vertex]
  std::vector<std::vector<std::int64_t>> partners_;  // [partition][device]: whom it meets there
  std::vector<std::vector<double>> load_;            // [partition][arc]: devices' worth of traffic
};

Router::Router(const DeviceGraph& graph, const std::vector<Partition>& partitions)
    : graph_(graph),
      partitions_(partitions),
      vertices_(graph.devices + graph.switches),
      hops_(index(vertices_)),
      load_(partitions.size(), std::vector<double>(graph.links.size() * 2, 0)) {
  for (std::int64_t i = 0; i < std::ssize(graph.links); ++i) {
    const GraphLink& link = graph.links[index(i)];
    hops_[index(link.a)].push_back({link.b, 2 * i});
    hops_[index(link.b)].push_back({link.a, 2 * i + 1});
  }
  std::vector<std::int64_t> inner(index(graph.devices), 0);
  for (const Partition& partition : partitions) {
    const std::vector<std::int64_t> sizes = group_sizes(graph, partition);
    partners_.push_back(inner);
    for (std::int64_t device = 0; device < graph.devices; ++device) {
      const std::int64_t size = sizes[index(partition[index(device)])];
      partners_.back()[index(device)] = size - inner[index(device)];
      inner[index(device)] = size;
    }
  }
}

// Width of the widest path to each vertex: Prim's order on the widest links.
std::vector<double> Router::widest_from(std::int64_t source) const {
  std::vector<double> width(index(vertices_), 0);
  std::vector<bool> done(index(vertices_), false);
  std::vector<std::pair<double, std::int64_t>> heap{{kUnlimited, source}};
  width[index(source)] = kUnlimited;
  while (!heap.empty()) {
    const std::int64_t vertex = heap.front().second;
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
    if (done[index(vertex)]) continue;
    done[index(vertex)] = true;
    for (const Hop& hop : hops_[index(vertex)]) {
      const double through = std::min(width[index(vertex)], link(hop.arc).bandwidth.value());
      if (through <= width[index(hop.to)]) continue;
      width[index(hop.to)] = through;
      heap.emplace_back(through, hop.to);
      std::push_heap(heap.begin(), heap.end());
    }
  }
  return width;
}

Router::Paths Router::shortest(std::int64_t source, double width) const {
  Paths paths{.order = {source},
              .count = std::vector<double>(index(vertices_), 0),
              .latency = std::vector<double>(index(vertices_), kUnlimited),
              .before = std::vector<std::vector<Hop>>(index(vertices_)),
              .targets = {}};
  std::vector<std::int64_t> distance(index(vertices_), -1);
  distance[index(source)] = 0;
  paths.count[index(source)] = 1;
  paths.latency[index(source)] = 0;
  for (std::size_t next = 0; next < paths.order.size(); ++next) {
    const std::int64_t vertex = paths.order[next];
    for (const Hop& hop : hops_[index(vertex)]) {
      if (link(hop.arc).bandwidth.value() < width) continue;
      std::int64_t& there = distance[index(hop.to)];
      if (there < 0) {
        there = distance[index(vertex)] + 1;
        paths.order.push_back(hop.to);
      }
      if (there != distance[index(vertex)] + 1) continue;
      paths.count[index(hop.to)] += paths.count[index(vertex)];
      paths.before[index(hop.to)].push_back({vertex, hop.arc});
      paths.latency[index(hop.to)] =
          std::min(paths.latency[index(hop.to)],
                   paths.latency[index(vertex)] + link(hop.arc).latency.value());
    }
  }
  return paths;
}

std::vector<Router::Paths> Router::routes_from(std::int64_t source) const {
  const std::vector<double> width = widest_from(source);
  std::map<double, std::vector<std::int64_t>> by_width;
  for (std::int64_t target = 0; target < graph_.devices; ++target)
    if (target != source) by_width[width[index(target)]].push_back(target);
  std::vector<Paths> routes;
  for (const auto& [least, targets] : by_width) {
    routes.push_back(shortest(source, least));
    for (const std::int64_t target : targets)
      routes.back().targets[shared_partition(partitions_, source, target)].push_back(target);
  }
  return routes;
}

// What the source sends to its targets in the partition, carried back along the paths.
void Router::add_load(const Paths& paths, std::int64_t source, std::int64_t partition) {
  std::vector<double> flow(index(vertices_), 0);
  const std::vector<std::int64_t>& partners = partners_[index(partition)];
  for (const std::int64_t target : paths.targets.at(partition))
    flow[index(target)] =
        1 / static_cast<double>(std::max(partners[index(source)], partners[index(target)]));
  for (auto vertex = paths.order.rbegin(); vertex != paths.order.rend(); ++vertex) {
    if (flow[index(*vertex)] == 0) continue;
    for (const Hop& hop : paths.before[index(*vertex)]) {
      const double part =
          flow[index(*vertex)] * paths.count[index(hop.to)] / paths.count[index(*vertex)];
      load_[index(partition)][index(hop.arc)] += part;
      flow[index(hop.to)] += part;
    }
  }
}

void Router::read_rates(const Paths& paths, std::int64_t source, PairRates& rates) const {
  for (const auto& [partition, targets] : paths.targets) {
    std::vector<double> rate(index(vertices_), kUnlimited);
    for (const std::int64_t vertex : paths.order)
      for (const Hop& hop : paths.before[index(vertex)]) {
        const double load = load_[index(partition)][index(hop.arc)];
        const double here = load > 0 ? link(hop.arc).bandwidth.value() / load : kUnlimited;
        rate[index(vertex)] = std::min({rate[index(vertex)], rate[index(hop.to)], here});
      }
    for (const std::int64_t target : targets) {
      rates.rate.at(source, target) = rate[index(target)];
      rates.latency.at(source, target) = paths.latency[index(target)];
    }
  }
}

PairRates Router::rates() {
  for (std::int64_t source = 0; source < graph_.devices; ++source) {
    for (const Paths& paths : routes_from(source))
      for (const auto& [partition, targets] : paths.targets) add_load(paths, source, partition);
  }
  PairRates rates{PairTable(graph_.devices, 0), PairTable(graph_.devices, 0)};
  for (std::int64_t source = 0; source < graph_.devices; ++source)
    for (const Paths& paths : routes_from(source)) read_rates(paths, source, rates);
  return rates;
}

}  // namespace

std::int64_t shared_partition(const std::vector<Partition>& partitions, std::int64_t device,
                              std::int64_t other) {
  std::int64_t level = 0;
  while (partitions[index(level)][index(device)] != partitions[index(level)][index(other)]) ++level;
  return level;
}

PairRates pair_rates(const DeviceGraph& graph, const std::vector<Partition>& partitions) {
  return Router(graph, partitions).rates();
}

}  // namespace nestplan
