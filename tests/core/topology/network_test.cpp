#include "topology/network.h"

#include <gtest/gtest.h>

#include <set>

namespace nestplan {
namespace {

Cluster spine_leaf(std::int64_t devices) {
  Cluster cluster;
  cluster.devices = devices;
  const auto level = [](const char* name, std::int64_t arity, double rate) {
    Level l;
    l.name = name;
    l.arity = arity;
    l.bandwidth = BytesPerSecond(rate);
    l.efficiency = 1;
    return l;
  };
  cluster.levels = {level("node", 8, 450e9), level("leaf", 32, 50e9), level("spine", 0, 12.5e9)};
  return cluster;
}

TEST(Network, DropsLevelsWiderThanTheDevices) {
  EXPECT_EQ(build_network(spine_leaf(7)).levels.size(), 1U);
  EXPECT_EQ(build_network(spine_leaf(8)).levels.size(), 1U);
  EXPECT_EQ(build_network(spine_leaf(9)).levels.size(), 2U);
  EXPECT_EQ(build_network(spine_leaf(257)).levels.size(), 3U);
}

TEST(Network, LastGroupMayBePartial) {
  const Network network = build_network(spine_leaf(100));
  ASSERT_EQ(network.levels.size(), 2U);
  EXPECT_EQ(network.levels[1].capacity, 104);  // 13 nodes, the last half full
}

TEST(Network, PathTakesTheSlowestRateAndTheLongestLatency) {
  Cluster cluster = spine_leaf(1024);
  cluster.levels[1].bandwidth = BytesPerSecond(10e9);
  cluster.levels[1].latency = Seconds(5e-6);
  cluster.levels[2].bandwidth = BytesPerSecond(400e9);
  const Network network = build_network(cluster);
  EXPECT_EQ(network.levels[2].bandwidth, BytesPerSecond(10e9));
  EXPECT_EQ(network.levels[2].latency, Seconds(5e-6));
}

TEST(Network, TorusUnfoldsIntoOneLevelPerDimension) {
  Cluster cluster = spine_leaf(64);
  Level torus = cluster.levels[0];
  torus.kind = LevelKind::kTorus;
  torus.dims = {4, 4, 4};
  torus.arity = 64;
  cluster.levels = {torus};
  const Network network = build_network(cluster);
  ASSERT_EQ(network.levels.size(), 3U);
  EXPECT_EQ(network.levels[0].capacity, 4);
  EXPECT_EQ(network.levels[1].capacity, 16);
  EXPECT_EQ(network.levels[2].ring_size, 4);
}

// The gcd rule against counting, for every aligned group of small networks.
TEST(Members, AgreeWithCountingTheWorstRank) {
  const Network network = build_network(spine_leaf(512));
  for (const std::int64_t size : {1, 2, 3, 4, 6, 8, 16, 24, 32}) {
    for (const std::int64_t stride : {1, 2, 4, 8, 16}) {
      if (512 % (size * stride) != 0) continue;
      Group group;
      group.factors[0] = {size, stride};
      const Members members = members_of(group, network, 512);
      for (std::size_t l = 0; l < network.levels.size(); ++l) {
        const std::int64_t capacity = network.levels[l].capacity;
        std::int64_t fewest = size;
        for (std::int64_t base = 0; base + (size - 1) * stride < 512; base += size * stride) {
          std::set<std::int64_t> blocks;
          for (std::int64_t i = 0; i < size; ++i) blocks.insert((base + i * stride) / capacity);
          fewest = std::min(fewest, size / static_cast<std::int64_t>(blocks.size()));
        }
        EXPECT_LE(members.within[l], fewest) << size << " by " << stride << " level " << l;
        if (512 % size == 0 && (size & (size - 1)) == 0) {
          EXPECT_EQ(members.within[l], fewest) << size << " by " << stride << " level " << l;
        }
      }
    }
  }
}

TEST(StageBoundary, AgreesWithLookingAtEveryRank) {
  const Network network = build_network(spine_leaf(512));
  const auto level_between = [&network](std::int64_t a, std::int64_t b) {
    std::int64_t l = 0;
    while (a / network.levels[static_cast<std::size_t>(l)].capacity !=
           b / network.levels[static_cast<std::size_t>(l)].capacity) {
      ++l;
    }
    return l;
  };
  for (const std::int64_t stride : {1, 2, 3, 4, 6, 8, 12, 32, 64}) {
    for (const std::int64_t pp : {2, 3, 4, 7, 8}) {
      const std::int64_t used = 512 / (stride * pp) * stride * pp;
      if (used == 0) continue;
      for (std::int64_t k = 0; k + 1 < pp; ++k) {
        std::int64_t worst = 0;
        for (std::int64_t base = 0; base < used; base += stride * pp) {
          for (std::int64_t r = 0; r < stride; ++r) {
            const std::int64_t from = base + k * stride + r;
            worst = std::max(worst, level_between(from, from + stride));
          }
        }
        EXPECT_EQ(stage_boundary_level(network, stride, pp, k, k + 1, used), worst)
            << "stride " << stride << " pp " << pp << " stage " << k;
      }
    }
  }
}

}  // namespace
}  // namespace nestplan
