// Device placement under the objective of the NEST artifact (arXiv 2603.06798): reads no file,
// knows no JSON (io/nest_instance does). This objective is the artifact's, not nestplan's own cost
// model; it is here so that two solvers can be compared on the same problem.
//
// Numbers are plain doubles because an instance chooses its own units: times in one unit, sizes in
// bytes, and in some published instances the two do not even agree (milliseconds and bytes/s).
#pragma once

#include <cstdint>
#include <vector>

namespace nestplan {

struct NestLayer {
  double forward = 0;      // time of one micro-batch
  double backward = 0;     // likewise
  double parameters = 0;   // bytes
  double activations = 0;  // bytes kept by one micro-batch
};

// `target` needs `bytes` from `source`; both are positions in NestGraph::layers.
struct NestEdge {
  std::int64_t source = 0;
  std::int64_t target = 0;
  double bytes = 0;
};

// The model sliced for one tensor-parallel width. Layers are in topological order: every edge has
// source < target. A stage runs its layers one after the other in this order.
struct NestGraph {
  std::int64_t tp = 1;
  std::vector<NestLayer> layers;
  std::vector<NestEdge> edges;
};

struct NestLevel {
  std::int64_t arity = 1;  // children per group
  double bandwidth = 0;    // bytes per unit of time, > 0
  double latency = 0;
};

struct NestInstance {
  std::vector<NestGraph> graphs;  // one per width, ascending
  std::vector<NestLevel> levels;  // innermost first; together they hold all devices
  std::int64_t devices = 1;
  std::int64_t micro_batches = 1;  // of one step, over all replicas
  std::int64_t expert = 1;         // ep and cp only multiply the devices of a stage
  std::int64_t context = 1;
  double memory = 0;  // bytes of one device
  bool recompute = false;
  bool adam = false;  // 6 bytes of optimizer state per byte of parameters; otherwise none
};

// Stage k (first one: k = 0) holds layers cuts[k] ... cuts[k + 1] - 1. Slots count from the end: it
// has slot stages - k.
struct NestPlan {
  bool feasible = false;
  double step = 0;  // in the instance's unit of time
  std::int64_t dp = 0;
  std::int64_t tp = 0;
  std::int64_t stages = 0;
  std::vector<std::int64_t> cuts;
};

// A plan of least step time, or feasible == false when none fits. Exact: see nest_instance.cpp.
// Precondition: as the comments above say; no negative number; at least one graph and one level.
[[nodiscard]] NestPlan solve_nest(const NestInstance& instance);

// The objective said plainly, straight from the edges, for any (dp, tp, cuts): the given plan with
// `step` set and `feasible` telling whether devices, micro-batches and memory allow it.
// Precondition: plan.tp is a width of the instance; cuts ascend from 0 to the number of layers.
[[nodiscard]] NestPlan price_nest(const NestInstance& instance, NestPlan plan);

// Pieces of the objective that both of the above use (nest_price.cpp).

// First level whose groups hold both devices.
[[nodiscard]] std::int64_t nest_level(const NestInstance& instance, std::int64_t device,
                                      std::int64_t other);
// Sending between neighbouring stages across `level`: the artifact counts an outer level twice.
struct NestLink {
  double bandwidth = 0;
  double latency = 0;
  double hops = 1;
  [[nodiscard]] double time(double bytes) const { return hops * (bytes / bandwidth + latency); }
};
[[nodiscard]] NestLink nest_link(const NestInstance& instance, std::int64_t level);
// Synchronising `parameters` bytes of the first stage over `dp` replicas, `stride` devices apart.
[[nodiscard]] double nest_resync(const NestInstance& instance, double parameters, std::int64_t dp,
                                 std::int64_t stride);
// Bytes of a stage besides the micro-batches waiting in later stages.
[[nodiscard]] double nest_base_memory(const NestInstance& instance, double parameters,
                                      double activations);

}  // namespace nestplan
