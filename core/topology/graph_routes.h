// What every pair of devices gets from a network when whole groups talk at once.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph.h"
#include "topology/graph_clusters.h"

namespace nestplan {

// One number per ordered pair of devices.
class PairTable {
 public:
  PairTable() = default;
  PairTable(std::int64_t devices, double value)
      : devices_(devices), values_(static_cast<std::size_t>(devices * devices), value) {}
  [[nodiscard]] double& at(std::int64_t from, std::int64_t to) {
    return values_[static_cast<std::size_t>(from * devices_ + to)];
  }
  [[nodiscard]] double at(std::int64_t from, std::int64_t to) const {
    return values_[static_cast<std::size_t>(from * devices_ + to)];
  }

 private:
  std::int64_t devices_ = 0;
  std::vector<double> values_;
};

// The first of the nested partitions, innermost first, that puts both devices into one group.
[[nodiscard]] std::int64_t shared_partition(const std::vector<Partition>& partitions,
                                            std::int64_t device, std::int64_t other);

struct PairRates {
  PairTable rate;     // bytes/s
  PairTable latency;  // s
};
// A message takes the path with the widest narrowest link, then with the fewest links, split evenly
// over equals. The rate of a pair that meets in partition l: all pairs that meet there send at
// once, equally much both ways and each device one unit in all (less, where groups are uneven and
// the other end is busier); the most loaded link of the pair's paths decides. Precondition: the
// last partition is one group, and the graph is connected.
[[nodiscard]] PairRates pair_rates(const DeviceGraph& graph,
                                   const std::vector<Partition>& partitions);

}  // namespace nestplan
