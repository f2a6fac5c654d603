// Groups of a network: who is close to whom by bandwidth, and which groups form a ring or torus.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph.h"

namespace nestplan {

// partition[v]: the group of vertex v, named by its smallest device; -1 for a switch outside all
// groups.
using Partition = std::vector<std::int64_t>;

constexpr std::int64_t kMostGraphLevels = 5;

// Nested partitions: first every device by itself, last one group; at most kMostGraphLevels + 1.
// Precondition: reduce_graph's.
[[nodiscard]] std::vector<Partition> cluster_by_bandwidth(const DeviceGraph& graph);

// The groups of `inner` inside `group` of `outer`.
struct Arrangement {
  std::vector<std::int64_t> children;  // in rank order
  std::vector<std::int64_t> dims;      // sizes of a torus of children, first fastest; empty: none
  BytesPerSecond bandwidth;            // dims only: between neighbouring children
  Seconds latency;                     // likewise, the longest
};
// A ring of at least 4 (one dimension) is found in any numbering, a torus of two or three
// dimensions of at least 3 only when its children are numbered along it.
[[nodiscard]] Arrangement arrange(const DeviceGraph& graph, const Partition& inner,
                                  const Partition& outer, std::int64_t group);

// Devices of each group, at the group's name; 0 elsewhere.
[[nodiscard]] std::vector<std::int64_t> group_sizes(const DeviceGraph& graph,
                                                    const Partition& partition);

}  // namespace nestplan
