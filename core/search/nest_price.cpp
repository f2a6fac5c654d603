// The NEST artifact's objective, term by term. Source: the published solver's input format and
// behaviour (artifact of arXiv 2603.06798); its quirks are kept on purpose.
#include <algorithm>

#include "base/check.h"
#include "base/math.h"
#include "search/nest_instance.h"

namespace nestplan {
namespace {

const NestGraph& graph_of(const NestInstance& instance, std::int64_t tp) {
  for (const NestGraph& graph : instance.graphs)
    if (graph.tp == tp) return graph;
  CHECK(false, "the plan's tensor-parallel width is not in the instance");
  return instance.graphs.front();
}

struct Stage {
  std::int64_t first;  // layers first ... last - 1
  std::int64_t last;
  std::int64_t slot;  // 1: the last stage
  NestLink before;    // to the stage before: inputs
  NestLink after;     // to the stage after: gradients
};

// A layer starts when the one before it on this stage is done and its tensors from other stages are
// here: they all leave at time 0, so the largest counts.
double forward_time(const NestGraph& graph, const Stage& stage) {
  double time = 0;
  for (std::int64_t layer = stage.first; layer < stage.last; ++layer) {
    for (const NestEdge& edge : graph.edges)
      if (edge.target == layer && edge.source < stage.first)
        time = std::max(time, stage.before.time(edge.bytes));
    time += graph.layers[static_cast<std::size_t>(layer)].forward;
  }
  return time;
}

// With recompute every stage but the last first runs its layers again, priced with the BACKWARD
// times (a quirk of the artifact); gradients travel meanwhile.
double backward_time(const NestInstance& instance, const NestGraph& graph, const Stage& stage) {
  double time = 0;
  if (instance.recompute && stage.slot > 1)
    for (std::int64_t layer = stage.first; layer < stage.last; ++layer)
      time += graph.layers[static_cast<std::size_t>(layer)].backward;
  for (std::int64_t layer = stage.last - 1; layer >= stage.first; --layer) {
    for (const NestEdge& edge : graph.edges)
      if (edge.source == layer && edge.target >= stage.last)
        time = std::max(time, stage.after.time(edge.bytes));
    time += graph.layers[static_cast<std::size_t>(layer)].backward;
  }
  return time;
}

// Each of the slot - 1 micro-batches that wait in later stages keeps a stash here: what came in
// (recompute), or all activations.
double memory_of(const NestInstance& instance, const NestGraph& graph, const Stage& stage) {
  double parameters = 0;
  double activations = 0;
  for (std::int64_t layer = stage.first; layer < stage.last; ++layer) {
    parameters += graph.layers[static_cast<std::size_t>(layer)].parameters;
    activations += graph.layers[static_cast<std::size_t>(layer)].activations;
  }
  double stash = activations;
  if (instance.recompute) {
    stash = 0;
    for (const NestEdge& edge : graph.edges)
      if (edge.source < stage.first && edge.target >= stage.first && edge.target < stage.last)
        stash += edge.bytes;
  }
  return nest_base_memory(instance, parameters, activations) +
         static_cast<double>(stage.slot - 1) * stash;
}

}  // namespace

std::int64_t nest_level(const NestInstance& instance, std::int64_t device, std::int64_t other) {
  const std::int64_t outermost = std::ssize(instance.levels) - 1;
  for (std::int64_t level = 0; level < outermost; ++level) {
    device /= instance.levels[static_cast<std::size_t>(level)].arity;
    other /= instance.levels[static_cast<std::size_t>(level)].arity;
    if (device == other) return level;
  }
  return outermost;
}

NestLink nest_link(const NestInstance& instance, std::int64_t level) {
  NestLink link{instance.levels.front().bandwidth,
                instance.levels[static_cast<std::size_t>(level)].latency, level > 0 ? 2.0 : 1.0};
  for (std::int64_t inner = 1; inner <= level; ++inner)  // a path crosses the inner levels too
    link.bandwidth =
        std::min(link.bandwidth, instance.levels[static_cast<std::size_t>(inner)].bandwidth);
  return link;
}

double nest_resync(const NestInstance& instance, double parameters, std::int64_t dp,
                   std::int64_t stride) {
  if (dp == 1) return 0;
  const NestLevel& innermost = instance.levels.front();
  double cost = 0;
  double share = parameters;
  for (std::int64_t replicas = dp; replicas > 1; replicas /= 2) {  // floor(log2 dp) rounds
    cost += innermost.latency + share / innermost.bandwidth;
    share /= 2;
  }
  double lower = 0;  // the artifact adds the levels below once more at every level above
  const std::int64_t ancestor = nest_level(instance, 0, (dp - 1) * stride);
  for (std::int64_t level = 1; level <= ancestor; ++level) {
    const NestLevel& outer = instance.levels[static_cast<std::size_t>(level)];
    cost += 2 * (outer.latency + parameters / outer.bandwidth) + lower;
    lower += cost;
  }
  return cost;
}

double nest_base_memory(const NestInstance& instance, double parameters, double activations) {
  return 2 * parameters + (instance.adam ? 6 * parameters : 0) + activations;
}

NestPlan price_nest(const NestInstance& instance, NestPlan plan) {
  const NestGraph& graph = graph_of(instance, plan.tp);
  const std::int64_t width = plan.tp * instance.expert * instance.context;
  plan.stages = std::ssize(plan.cuts) - 1;
  plan.feasible =
      plan.dp <= instance.micro_batches && plan.dp * plan.stages * width <= instance.devices;
  double bottleneck = 0;
  for (std::int64_t k = 0; k < plan.stages; ++k) {
    const std::int64_t slot = plan.stages - k;
    // Slot p sits on devices (p - 1) * width ... p * width - 1.
    const auto link_above = [&](std::int64_t p) {
      return nest_link(instance, nest_level(instance, (p - 1) * width, p * width));
    };
    const Stage stage{plan.cuts[static_cast<std::size_t>(k)],
                      plan.cuts[static_cast<std::size_t>(k + 1)], slot, link_above(slot),
                      slot > 1 ? link_above(slot - 1) : NestLink{}};
    bottleneck =
        std::max(bottleneck, forward_time(graph, stage) + backward_time(instance, graph, stage));
    if (memory_of(instance, graph, stage) > instance.memory) plan.feasible = false;
  }
  double parameters = 0;
  for (std::int64_t layer = 0; layer < plan.cuts[1]; ++layer)
    parameters += graph.layers[static_cast<std::size_t>(layer)].parameters;
  const std::int64_t rounds = ceil_div(instance.micro_batches, plan.dp) + plan.stages - 1;
  plan.step = bottleneck * static_cast<double>(rounds) +
              nest_resync(instance, parameters, plan.dp, plan.stages * width);
  return plan;
}

}  // namespace nestplan
