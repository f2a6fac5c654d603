#include "cost/collectives.h"

#include <gtest/gtest.h>

namespace nestplan {
namespace {

// Two nodes of eight; NVLink a, NIC b, no latency.
constexpr double kInner = 400e9;
constexpr double kOuter = 50e9;
Network two_by_eight(double latency = 0) {
  Network network;
  network.devices = 16;
  network.node_size = 8;
  network.levels = {{"node", 8, BytesPerSecond(kInner), Seconds(latency), 0},
                    {"fabric", 16, BytesPerSecond(kOuter), Seconds(latency), 0}};
  return network;
}

Members group(const Network& network, std::int64_t size, std::int64_t stride) {
  Group g;
  g.factors[0] = {size, stride};
  return members_of(g, network, network.devices);
}

TEST(Collectives, HierarchicalReduceScatterSumsItsLevels) {
  // 7/8 of the bytes at a, then 1/8 - 1/16 = 1/16 at b.
  const Network network = two_by_eight();
  const Affine cost = hierarchical_reduce_scatter(network, group(network, 16, 1));
  EXPECT_DOUBLE_EQ(cost.seconds_per_byte, 7.0 / 8 / kInner + 1.0 / 16 / kOuter);
}

TEST(Collectives, FlatRingIsDrivenByAllRailsOfANode) {
  // Eight rails of b make 400 GB/s, as fast as a: 15/16 of the bytes at 400 GB/s.
  const Network network = two_by_eight();
  const Affine cost = ring_reduce_scatter(network, group(network, 16, 1));
  EXPECT_DOUBLE_EQ(cost.seconds_per_byte, 15.0 / 16 / 400e9);
  // With one member in each node there is one rail.
  const Affine across = ring_reduce_scatter(network, group(network, 2, 8));
  EXPECT_DOUBLE_EQ(across.seconds_per_byte, 1.0 / 2 / kOuter);
}

TEST(Collectives, RingPaysLatencyPerMemberHierarchyPerDoubling) {
  const Network network = two_by_eight(10e-6);
  const Members all = group(network, 16, 1);
  EXPECT_DOUBLE_EQ(ring_reduce_scatter(network, all).latency.value(), 15 * 10e-6);
  EXPECT_DOUBLE_EQ(hierarchical_reduce_scatter(network, all).latency.value(), 4 * 10e-6);
}

TEST(Collectives, TheCheapestFormDependsOnTheBytes) {
  const Network network = two_by_eight(10e-6);
  const CollectiveTable table(Collective::kAllReduce, network, group(network, 16, 1));
  EXPECT_EQ(table.at(Bytes(1e3)).form, Form::kHierarchical);
  EXPECT_EQ(table.at(Bytes(1e10)).form, Form::kRing);
  EXPECT_EQ(table.at(Bytes(0)).time, Seconds(0));
}

TEST(Collectives, GroupOfOneIsFree) {
  const Network network = two_by_eight(10e-6);
  const CollectiveTable table(Collective::kAllGather, network, group(network, 1, 1));
  EXPECT_EQ(table.time(Bytes(1e9)), Seconds(0));
}

TEST(Collectives, AllToAllIsLimitedByTheBusiestLevel) {
  // 15 of 16 shares leave the device, 8 of 16 leave the node.
  const Network network = two_by_eight();
  const Affine cost = all_to_all(network, group(network, 16, 1));
  EXPECT_DOUBLE_EQ(cost.seconds_per_byte, 0.5 / kOuter);
}

TEST(Collectives, LineHasHalfTheRateOfARing) {
  Network network;
  network.devices = 8;
  network.levels = {{"ring", 8, BytesPerSecond(100e9), Seconds(0), 8}};
  EXPECT_DOUBLE_EQ(hierarchical_reduce_scatter(network, group(network, 8, 1)).seconds_per_byte,
                   7.0 / 8 / 100e9);
  EXPECT_DOUBLE_EQ(hierarchical_reduce_scatter(network, group(network, 4, 1)).seconds_per_byte,
                   3.0 / 4 / 50e9);
}

}  // namespace
}  // namespace nestplan
