// Load and memory of every contiguous interval of layers of one NEST graph, tabulated for the exact
// search of nest_instance.cpp. The same formulas, said plainly, are in nest_price.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/nest_instance.h"

namespace nestplan {

// row(i)[k]: one number for the layers i ... k - 1, 0 <= i < k <= layers.
class IntervalTable {
 public:
  IntervalTable() = default;
  IntervalTable(std::int64_t layers, double value)
      : side_(static_cast<std::size_t>(layers) + 1), values_(side_ * side_, value) {}
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] double* row(std::int64_t i) { return values_.data() + offset(i); }
  [[nodiscard]] const double* row(std::int64_t i) const { return values_.data() + offset(i); }

 private:
  [[nodiscard]] std::size_t offset(std::int64_t i) const {
    return static_cast<std::size_t>(i) * side_;
  }
  std::size_t side_ = 0;
  std::vector<double> values_;
};

// Every table is built in O(layers^2 + edges) by extending an interval one layer at a time. Keeps
// references: instance and graph must outlive it.
class NestIntervals {
 public:
  NestIntervals(const NestInstance& instance, const NestGraph& graph);

  // Forward pass, inputs from other stages across `level`.
  const IntervalTable& forward(std::int64_t level);
  // Backward pass in a slot above 1, gradients across `level`; with recompute, the second forward
  // pass before it.
  const IntervalTable& backward(std::int64_t level);
  // Backward pass in slot 1: no gradient comes from elsewhere, nothing is run again.
  const IntervalTable& last_backward();
  // Bytes held in slot 1, and for each further slot.
  [[nodiscard]] const IntervalTable& base_memory() const { return base_memory_; }
  [[nodiscard]] const IntervalTable& stash() const { return stash_; }

 private:
  void gather_edges();
  void sum_memory();
  [[nodiscard]] const NestLayer& layer(std::int64_t i) const {
    return graph_.layers[static_cast<std::size_t>(i)];
  }

  const NestInstance& instance_;
  const NestGraph& graph_;
  std::int64_t layers_;
  // Per layer v, not per interval; kNoEdge where there is none:
  IntervalTable arriving_;              // row(i)[v]: most bytes into v from one layer before i
  IntervalTable leaving_;               // row(v)[k]: most bytes from v to one layer at k or later
  IntervalTable incoming_;              // row(i)[v]: all bytes into v from layers before i
  std::vector<IntervalTable> forward_;  // by level, empty until asked for
  std::vector<IntervalTable> backward_;
  IntervalTable last_backward_;
  IntervalTable base_memory_;
  IntervalTable stash_;
};

}  // namespace nestplan
