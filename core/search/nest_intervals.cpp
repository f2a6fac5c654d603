#include "search/nest_intervals.h"

#include <algorithm>

namespace nestplan {
namespace {
constexpr double kNoEdge = -1;
}  // namespace

NestIntervals::NestIntervals(const NestInstance& instance, const NestGraph& graph)
    : instance_(instance),
      graph_(graph),
      layers_(std::ssize(graph.layers)),
      arriving_(layers_, kNoEdge),
      leaving_(layers_, kNoEdge),
      incoming_(layers_, 0),
      forward_(instance.levels.size()),
      backward_(instance.levels.size()),
      base_memory_(layers_, 0),
      stash_(layers_, 0) {
  gather_edges();
  sum_memory();
}

// An edge u -> v is cut by an interval that starts at i = u + 1 ... v and holds v, and by one that
// holds u and ends at k = u + 1 ... v. Entered at one end of that range, then carried to the other.
void NestIntervals::gather_edges() {
  for (const NestEdge& edge : graph_.edges) {
    double& into = arriving_.row(edge.source + 1)[edge.target];
    into = std::max(into, edge.bytes);
    double& from = leaving_.row(edge.source)[edge.target];
    from = std::max(from, edge.bytes);
    incoming_.row(edge.source + 1)[edge.target] += edge.bytes;
  }
  for (std::int64_t i = 1; i < layers_; ++i)
    for (std::int64_t v = i; v < layers_; ++v) {
      arriving_.row(i)[v] = std::max(arriving_.row(i)[v], arriving_.row(i - 1)[v]);
      incoming_.row(i)[v] += incoming_.row(i - 1)[v];
    }
  for (std::int64_t v = 0; v < layers_; ++v)
    for (std::int64_t k = layers_ - 1; k > v; --k)
      leaving_.row(v)[k] = std::max(leaving_.row(v)[k], leaving_.row(v)[k + 1]);
}

void NestIntervals::sum_memory() {
  for (std::int64_t i = 0; i < layers_; ++i) {
    double parameters = 0;
    double activations = 0;
    double incoming = 0;
    for (std::int64_t k = i + 1; k <= layers_; ++k) {
      parameters += layer(k - 1).parameters;
      activations += layer(k - 1).activations;
      incoming += incoming_.row(i)[k - 1];
      base_memory_.row(i)[k] = nest_base_memory(instance_, parameters, activations);
      stash_.row(i)[k] = instance_.recompute ? incoming : activations;
    }
  }
}

const IntervalTable& NestIntervals::forward(std::int64_t level) {
  IntervalTable& table = forward_[static_cast<std::size_t>(level)];
  if (!table.empty()) return table;
  table = IntervalTable(layers_, 0);
  const NestLink link = nest_link(instance_, level);
  for (std::int64_t i = 0; i < layers_; ++i) {
    const double* arriving = arriving_.row(i);
    double* row = table.row(i);
    double time = 0;
    for (std::int64_t k = i + 1; k <= layers_; ++k) {
      if (arriving[k - 1] >= 0) time = std::max(time, link.time(arriving[k - 1]));
      time += layer(k - 1).forward;
      row[k] = time;
    }
  }
  return table;
}

// Two chains end at layer i: one that starts once the layers have run again, one that starts with
// the gradients at time 0. Both run through the same layers, so the later one decides.
const IntervalTable& NestIntervals::backward(std::int64_t level) {
  IntervalTable& table = backward_[static_cast<std::size_t>(level)];
  if (!table.empty()) return table;
  table = IntervalTable(layers_, 0);
  const NestLink link = nest_link(instance_, level);
  const IntervalTable& computing = last_backward();
  for (std::int64_t i = layers_ - 1; i >= 0; --i) {
    const double* leaving = leaving_.row(i);
    for (std::int64_t k = i + 1; k <= layers_; ++k) {
      double time = k > i + 1 ? table.row(i + 1)[k] : 0;
      if (leaving[k] >= 0) time = std::max(time, link.time(leaving[k]));
      table.row(i)[k] = time + layer(i).backward;
    }
  }
  if (instance_.recompute)
    for (std::int64_t i = 0; i < layers_; ++i)
      for (std::int64_t k = i + 1; k <= layers_; ++k)
        table.row(i)[k] = std::max(table.row(i)[k], 2 * computing.row(i)[k]);
  return table;
}

const IntervalTable& NestIntervals::last_backward() {
  if (!last_backward_.empty()) return last_backward_;
  last_backward_ = IntervalTable(layers_, 0);
  for (std::int64_t i = layers_ - 1; i >= 0; --i)
    for (std::int64_t k = i + 1; k <= layers_; ++k)
      last_backward_.row(i)[k] = (k > i + 1 ? last_backward_.row(i + 1)[k] : 0) + layer(i).backward;
  return last_backward_;
}

}  // namespace nestplan
