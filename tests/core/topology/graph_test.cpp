#include "topology/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace nestplan {
namespace {

// Sums of loads in another order than the hand-worked figure's.
constexpr double kRounding = 1e-9;

void link(DeviceGraph& graph, std::int64_t a, std::int64_t b, double bandwidth, double latency) {
  graph.links.push_back({a, b, BytesPerSecond(bandwidth), Seconds(latency)});
}

std::vector<std::int64_t> arities(const GraphReduction& reduction) {
  std::vector<std::int64_t> result;
  for (const Level& level : reduction.levels) result.push_back(level.arity);
  return result;
}
std::vector<double> bandwidths(const GraphReduction& reduction) {
  std::vector<double> result;
  for (const Level& level : reduction.levels) result.push_back(level.bandwidth.value());
  return result;
}
void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], kRounding * wanted[i]) << i;
}

using Counts = std::vector<std::int64_t>;

// `nodes` nodes of 8, each around a switch at 450; the nodes' NICs (50) meet at one more switch.
DeviceGraph nvlink_nodes(std::int64_t nodes) {
  DeviceGraph graph{.devices = 8 * nodes, .switches = nodes + 1, .links = {}};
  for (std::int64_t device = 0; device < graph.devices; ++device) {
    link(graph, device, graph.devices + device / 8, 450, 1e-6);
    link(graph, device, graph.devices + nodes, 50, 3e-6);
  }
  return graph;
}

TEST(ReduceGraph, FindsNodesAndTheirNetwork) {
  const GraphReduction reduction = reduce_graph(nvlink_nodes(2));
  EXPECT_EQ(arities(reduction), (Counts{8, 2}));
  expect_near(bandwidths(reduction), {450, 50});
  EXPECT_NEAR(reduction.levels[0].latency.value(), 2e-6, 1e-15);  // device, switch, device
  EXPECT_NEAR(reduction.levels[1].latency.value(), 6e-6, 1e-15);
  EXPECT_LT(reduction.bandwidth.max, kRounding);
  EXPECT_LT(reduction.latency.max, kRounding);
  Counts identity(16);
  std::iota(identity.begin(), identity.end(), 0);
  EXPECT_EQ(reduction.order, identity);
}

TEST(ReduceGraph, SharesTheOnlyNicOfANode) {
  // 2 nodes of 8; devices 0 and 8 hold the NIC. All 8 devices of a node send through it: 50 / 8.
  DeviceGraph graph{.devices = 16, .switches = 2, .links = {}};
  for (std::int64_t device = 0; device < 16; ++device)
    link(graph, device, 16 + device / 8, 450, 1e-6);
  link(graph, 0, 8, 50, 3e-6);
  const GraphReduction reduction = reduce_graph(graph);
  EXPECT_EQ(arities(reduction), (Counts{8, 2}));
  expect_near(bandwidths(reduction), {450, 6.25});
  EXPECT_LT(reduction.bandwidth.max, kRounding);
  // Between nodes: 3 for the NIC pair itself (1 of 64), 3 + 2 for 14, 3 + 4 for 49 microseconds.
  const double mean = (3 + 14 * 5 + 49 * 7) / 64.0;  // 6.5
  EXPECT_NEAR(reduction.levels[1].latency.value(), mean * 1e-6, 1e-15);
  EXPECT_NEAR(reduction.latency.max, (mean - 3) / 3, kRounding);
}

// 4 leaves of 8 devices at 50; each leaf has one link of `uplink` to each of two spines.
DeviceGraph fat_tree(double uplink) {
  DeviceGraph graph{.devices = 32, .switches = 6, .links = {}};
  for (std::int64_t device = 0; device < 32; ++device)
    link(graph, device, 32 + device / 8, 50, 1e-6);
  for (std::int64_t leaf = 0; leaf < 4; ++leaf)
    for (std::int64_t spine = 0; spine < 2; ++spine)
      link(graph, 32 + leaf, 36 + spine, uplink, 2e-6);
  return graph;
}

TEST(ReduceGraph, CountsTheOversubscriptionOfAFatTree) {
  // 4:1: the 8 devices of a leaf share 2 * 50 upwards: 12.5 each, though every uplink is as wide as
  // a device's own link.
  const GraphReduction reduction = reduce_graph(fat_tree(50));
  EXPECT_EQ(arities(reduction), (Counts{8, 4}));
  expect_near(bandwidths(reduction), {50, 12.5});
  EXPECT_NEAR(reduction.levels[1].latency.value(), 6e-6, 1e-15);
  EXPECT_LT(reduction.bandwidth.max, kRounding);
  EXPECT_LT(reduction.latency.max, kRounding);
}

TEST(ReduceGraph, KeepsALevelThatDiffersInLatencyOnly) {
  const GraphReduction reduction = reduce_graph(fat_tree(200));  // 2 * 200 / 8 = 50
  EXPECT_EQ(arities(reduction), (Counts{8, 4}));
  expect_near(bandwidths(reduction), {50, 50});
  EXPECT_LT(reduction.bandwidth.max, kRounding);
  EXPECT_LT(reduction.latency.max, kRounding);
}

TEST(ReduceGraph, JoinsLevelsLessThanATenthApart) {
  // Pairs 0-1 and 2-3 at 21, 1-2 and 3-0 at 20: a ring but for 5 %.
  DeviceGraph graph{.devices = 4, .switches = 0, .links = {}};
  for (std::int64_t i = 0; i < 4; ++i) link(graph, i, (i + 1) % 4, i % 2 == 0 ? 21 : 20, 1e-6);
  const GraphReduction reduction = reduce_graph(graph);
  EXPECT_EQ(arities(reduction), (Counts{4}));
  EXPECT_EQ(reduction.levels[0].kind, LevelKind::kSwitch);  // not an even ring
}

TEST(ReduceGraph, FollowsARingInAnyNumbering) {
  // 0 - 2 - 4 - 1 - 5 - 3 - 0
  DeviceGraph graph{.devices = 6, .switches = 0, .links = {}};
  const Counts around{0, 2, 4, 1, 5, 3};
  for (std::size_t i = 0; i < 6; ++i) link(graph, around[i], around[(i + 1) % 6], 10, 1e-6);
  const GraphReduction reduction = reduce_graph(graph);
  ASSERT_EQ(arities(reduction), (Counts{6}));
  EXPECT_EQ(reduction.levels[0].kind, LevelKind::kRing);
  expect_near(bandwidths(reduction), {20});  // both ways round
  EXPECT_EQ(reduction.order, around);
  EXPECT_LT(reduction.bandwidth.max, kRounding);
  EXPECT_LT(reduction.latency.max, kRounding);
}

DeviceGraph torus(std::int64_t x, std::int64_t y, const Counts& name) {
  DeviceGraph graph{.devices = x * y, .switches = 0, .links = {}};
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return name[static_cast<std::size_t>(i % x + j % y * x)];
  };
  for (std::int64_t j = 0; j < y; ++j)
    for (std::int64_t i = 0; i < x; ++i) {
      link(graph, at(i, j), at(i + 1, j), 10, 1e-6);
      link(graph, at(i, j), at(i, j + 1), 10, 1e-6);
    }
  return graph;
}

TEST(ReduceGraph, RecognisesATorusNumberedAlongItself) {
  Counts name(20);
  std::iota(name.begin(), name.end(), 0);
  const GraphReduction reduction = reduce_graph(torus(4, 5, name));
  ASSERT_EQ(arities(reduction), (Counts{20}));
  EXPECT_EQ(reduction.levels[0].kind, LevelKind::kTorus);
  EXPECT_EQ(reduction.levels[0].dims, (Counts{4, 5}));
  expect_near(bandwidths(reduction), {20});  // per dimension
  EXPECT_LT(reduction.latency.max, kRounding);
  // All-to-all is bound by the longer dimension: 6/5 hops on average, times 20/19. Links of the
  // shorter one, 1 * 20/19, would do more: pairs that use only those are up to 1.2 times as fast.
  EXPECT_NEAR(reduction.bandwidth.max, 1 - 1 / 1.2, kRounding);
}

TEST(ReduceGraph, AdmitsTheErrorOfATorusItDoesNotRecognise) {
  Counts name(16);
  for (std::size_t i = 0; i < 16; ++i) name[i] = static_cast<std::int64_t>(i * 7 % 16);
  const GraphReduction reduction = reduce_graph(torus(4, 4, name));
  ASSERT_EQ(arities(reduction), (Counts{16}));
  EXPECT_EQ(reduction.levels[0].kind, LevelKind::kSwitch);
  // 32/15 hops to another device on average, four links per device: 40 / (32/15) when all talk.
  expect_near(bandwidths(reduction), {18.75});
  // One latency, 32/15, for 1 to 4 hops.
  EXPECT_NEAR(reduction.latency.max, 32 / 15.0 - 1, kRounding);
  EXPECT_GT(reduction.latency.mean, 0.2);
}

TEST(ReduceGraph, PutsThePartialGroupLast) {
  // Nodes of 2, 4 and 4 on one switch.
  DeviceGraph graph{.devices = 10, .switches = 4, .links = {}};
  for (std::int64_t device = 0; device < 10; ++device) {
    link(graph, device, device < 2 ? 10 : device < 6 ? 11 : 12, 100, 1e-6);
    link(graph, device, 13, 20, 1e-6);
  }
  const GraphReduction reduction = reduce_graph(graph);
  EXPECT_EQ(arities(reduction), (Counts{4, 3}));
  expect_near(bandwidths(reduction), {100, 20});
  EXPECT_EQ(reduction.order, (Counts{2, 3, 4, 5, 6, 7, 8, 9, 0, 1}));
  // Devices of the small node meet 8 others, and send and take 1/8 each; those of the large ones
  // meet 6, and send 1/6 to 4 and 1/8 to 2, or 11/12 in all: among themselves they get 20 * 12/11.
  EXPECT_NEAR(reduction.bandwidth.max, 1 / 12.0, kRounding);
  EXPECT_NEAR(reduction.bandwidth.mean, 32 / 90.0 / 12, kRounding);  // 32 of 90 ordered pairs
}

TEST(ReduceGraph, AdmitsTheErrorOfUnevenGroups) {
  // Nodes of 4, 2 and 2: the common size is 2, so the node of 4 is priced as two nodes.
  DeviceGraph graph{.devices = 8, .switches = 4, .links = {}};
  for (std::int64_t device = 0; device < 8; ++device) {
    link(graph, device, device < 4 ? 8 : device < 6 ? 9 : 10, 100, 1e-6);
    link(graph, device, 11, 20, 1e-6);
  }
  const GraphReduction reduction = reduce_graph(graph);
  EXPECT_EQ(arities(reduction), (Counts{2, 4}));
  expect_near(bandwidths(reduction), {100, 20});
  // 8 of 56 ordered pairs get 20 instead of 100.
  EXPECT_NEAR(reduction.bandwidth.max, 0.8, kRounding);
  EXPECT_NEAR(reduction.bandwidth.mean, 0.8 * 8 / 56, kRounding);
}

TEST(ReduceGraph, TreatsAFullMeshAsASwitch) {
  DeviceGraph graph{.devices = 4, .switches = 0, .links = {}};
  for (std::int64_t a = 0; a < 4; ++a)
    for (std::int64_t b = a + 1; b < 4; ++b) link(graph, a, b, 10, 1e-6);
  const GraphReduction reduction = reduce_graph(graph);
  EXPECT_EQ(arities(reduction), (Counts{4}));
  EXPECT_EQ(reduction.levels[0].kind, LevelKind::kSwitch);
  expect_near(bandwidths(reduction), {30});
  EXPECT_LT(reduction.bandwidth.max, kRounding);
}

TEST(ReduceGraph, DoesNotDependOnTheOrderOfLinks) {
  DeviceGraph graph = nvlink_nodes(3);
  link(graph, 1, 9, 70, 1e-6);
  const GraphReduction first = reduce_graph(graph);
  std::reverse(graph.links.begin(), graph.links.end());
  for (GraphLink& each : graph.links) std::swap(each.a, each.b);
  const GraphReduction second = reduce_graph(graph);
  EXPECT_EQ(first.levels, second.levels);
  EXPECT_EQ(first.order, second.order);
  EXPECT_EQ(first.bandwidth.mean, second.bandwidth.mean);
  EXPECT_EQ(first.latency.mean, second.latency.mean);
}

TEST(ReduceGraph, KeepsFewLevels) {
  // A chain whose links halve: every link a level of its own.
  DeviceGraph graph{.devices = 16, .switches = 0, .links = {}};
  double bandwidth = 1 << 20;
  for (std::int64_t i = 0; i < 15; ++i, bandwidth /= 2) link(graph, i, i + 1, bandwidth, 1e-6);
  const GraphReduction reduction = reduce_graph(graph);
  EXPECT_LE(reduction.levels.size(), 5u);
  EXPECT_GT(reduction.bandwidth.max, 0.5);  // levels cannot say this, and the error says so
}

TEST(UnreachableDevices, AreListed) {
  DeviceGraph graph{.devices = 5, .switches = 1, .links = {}};
  link(graph, 0, 5, 1, 0);
  link(graph, 3, 5, 1, 0);
  link(graph, 1, 2, 1, 0);
  EXPECT_EQ(unreachable_devices(graph), (Counts{1, 2, 4}));
  EXPECT_TRUE(unreachable_devices(nvlink_nodes(2)).empty());
}

}  // namespace
}  // namespace nestplan
