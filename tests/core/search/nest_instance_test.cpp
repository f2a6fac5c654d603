#include "search/nest_instance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace nestplan {
namespace {

// Sums of the same terms in another order.
constexpr double kRounding = 1e-12;

// Two layers on four devices in pairs; 10 bytes between them.
//   inner level 10 bytes/s and 0.5 s, outer 5 bytes/s and 1 s
NestInstance two_layers() {
  NestInstance instance;
  instance.levels = {{2, 10, 0.5}, {2, 5, 1}};
  instance.devices = 4;
  instance.micro_batches = 4;
  instance.memory = 1000;
  NestGraph graph;
  graph.layers = {{3, 5, 20, 7}, {4, 6, 30, 9}};
  graph.edges = {{0, 1, 10}};
  instance.graphs = {graph};
  return instance;
}

TEST(NestPrice, AddsUpTwoStages) {
  // Slot 1 (layer 1): input 10/10 + 0.5 = 1.5, forward 4, backward 6: 11.5.
  // Slot 2 (layer 0): forward 3, gradient 1.5, backward 5: 9.5.
  // One replica: 11.5 * (4 + 2 - 1) = 57.5.
  const NestPlan plan = price_nest(two_layers(), {.dp = 1, .tp = 1, .cuts = {0, 1, 2}});
  EXPECT_TRUE(plan.feasible);
  EXPECT_EQ(plan.stages, 2);
  EXPECT_DOUBLE_EQ(plan.step, 57.5);
}

TEST(NestPrice, SynchronisesTheFirstStageAcrossTheReplicasCommonAncestor) {
  // Two replicas, two devices apart: devices 0 and 2, so level 1. P = 20:
  // innermost 0.5 + 20/10 = 2.5; outer 2 (1 + 20/5) = 10; 12.5 in all. 11.5 * (2 + 1) + 12.5 = 47.
  const NestPlan plan = price_nest(two_layers(), {.dp = 2, .tp = 1, .cuts = {0, 1, 2}});
  EXPECT_DOUBLE_EQ(plan.step, 47);
}

TEST(NestPrice, CountsTheLowerLevelsOnceMorePerLevel) {
  NestInstance instance = two_layers();
  instance.levels.push_back({2, 2, 0});
  instance.devices = 8;
  // dp 4, P 8, stride 2: devices 0 and 6, level 2. Halving rounds: 0.5 + 8/10, 0.5 + 4/10 = 2.2;
  // level 1: + 2 (1 + 8/5) = 7.4, and lower = 7.4; level 2: + 2 (8/2) + 7.4 = 22.8.
  EXPECT_DOUBLE_EQ(nest_resync(instance, 8, 4, 2), 22.8);
  EXPECT_EQ(nest_resync(instance, 8, 1, 2), 0);
}

TEST(NestPrice, AFasterOuterLevelDoesNotOutrunTheInnerOne) {
  NestInstance instance = two_layers();
  instance.levels = {{2, 5, 0.5}, {2, 10, 1}};
  EXPECT_DOUBLE_EQ(nest_link(instance, 1).time(10), 2 * (10 / 5.0 + 1));
}

TEST(NestPrice, RunsLayersAgainAtTheirBackwardTimeWhileGradientsTravel) {
  NestInstance instance = two_layers();
  instance.recompute = true;
  // Slot 2: forward 3, then max(again 5, gradient 1.5) + 5 = 10: 13; slot 1 as before 11.5.
  EXPECT_DOUBLE_EQ(price_nest(instance, {.dp = 1, .tp = 1, .cuts = {0, 1, 2}}).step, 13 * 5.0);
}

TEST(NestPrice, HoldsAStashForEachWaitingMicroBatch) {
  NestInstance instance = two_layers();
  // Slot 2, layer 0: 2 * 20 + 7 + 7 = 54; slot 1, layer 1: 2 * 30 + 9 = 69.
  const NestPlan plan{.dp = 1, .tp = 1, .cuts = {0, 1, 2}};
  instance.memory = 69;
  EXPECT_TRUE(price_nest(instance, plan).feasible);
  instance.memory = 68;
  EXPECT_FALSE(price_nest(instance, plan).feasible);
  instance.adam = true;  // 8 bytes per byte of parameters: 249 and 174
  instance.memory = 249;
  EXPECT_TRUE(price_nest(instance, plan).feasible);
  instance.memory = 248;
  EXPECT_FALSE(price_nest(instance, plan).feasible);
}

TEST(SolveNest, FindsTheBestOfEightPlansByHand) {
  // One stage: load 18, no transfer. dp 4: 18 + resync, P = 50: 0.5 + 5, 0.5 + 2.5 = 8.5, level 1:
  // 2 (1 + 10) = 22: 48.5. dp 2: devices 0 and 1: 36 + 5.5 = 41.5. dp 1: 72; dp 3: 36 + 5.5 + 22.
  // Two stages: 47 or 57.5, above.
  const NestPlan plan = solve_nest(two_layers());
  EXPECT_TRUE(plan.feasible);
  EXPECT_DOUBLE_EQ(plan.step, 41.5);
  EXPECT_EQ(plan.dp, 2);
  EXPECT_EQ(plan.stages, 1);
  EXPECT_EQ(plan.cuts, (std::vector<std::int64_t>{0, 2}));
}

TEST(SolveNest, SaysThatNothingFits) {
  NestInstance instance = two_layers();
  instance.memory = 68;  // not even the last layer alone
  EXPECT_FALSE(solve_nest(instance).feasible);
  instance = two_layers();
  instance.expert = 5;  // a stage needs five devices
  EXPECT_FALSE(solve_nest(instance).feasible);
}

// A fixed sequence, the same with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::int64_t from(std::int64_t low, std::int64_t high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low +
           static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(std::int64_t percent) { return from(1, 100) <= percent; }

 private:
  std::uint64_t state_;
};

// Chains, chains with skipping edges, and any DAG with several sources and sinks. Whole numbers
// make ties and exactly filled memory common.
NestGraph random_graph(Dice& dice, std::int64_t tp, std::int64_t layers, std::int64_t kind) {
  NestGraph graph;
  graph.tp = tp;
  for (std::int64_t i = 0; i < layers; ++i)
    graph.layers.push_back(
        {static_cast<double>(dice.from(0, 12)), static_cast<double>(dice.from(0, 20)),
         static_cast<double>(dice.from(0, 30)), static_cast<double>(dice.from(0, 40))});
  for (std::int64_t target = 1; target < layers; ++target)
    for (std::int64_t source = 0; source < target; ++source) {
      const bool next = source + 1 == target;
      if (kind < 2 ? next || (kind == 1 && dice.chance(30)) : dice.chance(40))
        graph.edges.push_back({source, target, static_cast<double>(dice.from(0, 60))});
    }
  return graph;
}

NestInstance random_instance(std::uint64_t seed) {
  Dice dice(seed);
  NestInstance instance;
  std::int64_t capacity = 1;
  for (std::int64_t level = dice.from(1, 3); level > 0; --level) {
    instance.levels.push_back({dice.from(1, 4), static_cast<double>(dice.from(1, 60)),
                               static_cast<double>(dice.from(0, 4)) / 8});
    capacity *= instance.levels.back().arity;
  }
  instance.devices = dice.from(1, std::min<std::int64_t>(capacity, 16));
  instance.micro_batches = dice.from(1, 20);
  instance.expert = dice.chance(20) ? 2 : 1;
  instance.context = dice.chance(20) ? 2 : 1;
  instance.recompute = dice.chance(50);
  instance.adam = dice.chance(50);
  instance.memory = static_cast<double>(dice.from(40, 500));
  const std::int64_t layers = dice.from(1, 7);
  const std::int64_t kind = dice.from(0, 2);
  for (std::int64_t tp = 1; tp <= 3; ++tp)
    if (tp == 1 || dice.chance(40)) instance.graphs.push_back(random_graph(dice, tp, layers, kind));
  return instance;
}

// Every width, every set of cuts, every dp.
double exhaustive_step(const NestInstance& instance) {
  double best = std::numeric_limits<double>::infinity();
  for (const NestGraph& graph : instance.graphs) {
    const std::int64_t layers = std::ssize(graph.layers);
    for (std::int64_t mask = 0; mask < std::int64_t{1} << (layers - 1); ++mask) {
      NestPlan plan{.tp = graph.tp, .cuts = {0}};
      for (std::int64_t cut = 1; cut < layers; ++cut)
        if ((mask >> (cut - 1)) % 2 == 1) plan.cuts.push_back(cut);
      plan.cuts.push_back(layers);
      for (plan.dp = 1; plan.dp <= instance.micro_batches; ++plan.dp) {
        const NestPlan priced = price_nest(instance, plan);
        if (priced.feasible) best = std::min(best, priced.step);
      }
    }
  }
  return best;
}

TEST(SolveNest, AgreesWithExhaustiveSearch) {
  std::int64_t feasible = 0;
  std::int64_t pipelined = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const NestInstance instance = random_instance(seed);
    const NestPlan plan = solve_nest(instance);
    const double best = exhaustive_step(instance);
    ASSERT_EQ(plan.feasible, std::isfinite(best)) << "seed " << seed;
    if (!plan.feasible) continue;
    ++feasible;
    pipelined += plan.stages > 1 ? 1 : 0;
    ASSERT_NEAR(plan.step, best, kRounding * best) << "seed " << seed;
    const NestPlan priced = price_nest(instance, plan);
    ASSERT_TRUE(priced.feasible) << "seed " << seed;
    ASSERT_NEAR(priced.step, plan.step, kRounding * best) << "seed " << seed;
    ASSERT_EQ(priced.stages, plan.stages) << "seed " << seed;
  }
  EXPECT_GT(feasible, 1000);
  EXPECT_GT(pipelined, 300);
}

TEST(SolveNest, IsNeverSlowerWithMoreOfAnything) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const NestInstance instance = random_instance(seed);
    const NestPlan plan = solve_nest(instance);
    if (!plan.feasible) continue;
    NestInstance richer = instance;
    for (NestLevel& level : richer.levels) level.bandwidth *= 2;
    EXPECT_LE(solve_nest(richer).step, plan.step) << "bandwidth, seed " << seed;
    richer = instance;
    richer.memory *= 2;
    EXPECT_LE(solve_nest(richer).step, plan.step) << "memory, seed " << seed;
    richer = instance;
    richer.devices += 1;
    richer.levels.back().arity += 1;
    EXPECT_LE(solve_nest(richer).step, plan.step) << "devices, seed " << seed;
  }
}

TEST(SolveNest, ScalesWithTheUnitOfTime) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    NestInstance instance = random_instance(seed);
    const NestPlan plan = solve_nest(instance);
    for (NestLevel& level : instance.levels) {
      level.bandwidth /= 1024;
      level.latency *= 1024;
    }
    for (NestGraph& graph : instance.graphs)
      for (NestLayer& layer : graph.layers) {
        layer.forward *= 1024;
        layer.backward *= 1024;
      }
    EXPECT_EQ(solve_nest(instance).step, 1024 * plan.step) << "seed " << seed;
  }
}

}  // namespace
}  // namespace nestplan
