// The network of one request: levels cut to the devices it has, with achieved rates that hold for
// a whole path, and the groups of ranks that talk across it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "topology/cluster.h"

namespace nestplan {

constexpr std::int64_t kMaxLevels = 8;  // after a torus unfolds into one level per dimension

struct NetworkLevel {
  std::string name;
  std::int64_t capacity = 0;  // devices in one group of this level
  // A path across this level also crosses the inner ones, so: nominal times efficiency, running
  // minimum outwards; latency, running maximum outwards.
  BytesPerSecond bandwidth;
  Seconds latency;
  // A ring (torus dimension) of this many devices: members that do not fill it form a line at half
  // the rate. 0: a switch.
  std::int64_t ring_size = 0;
};

struct Network {
  std::vector<NetworkLevel> levels;  // innermost first; the outermost holds all devices
  std::int64_t devices = 0;
  std::int64_t node_size = 1;  // stacks start equally many processes on every node
};

// Cuts `cluster.levels` to `cluster.devices`: levels wider than that drop away, the outermost arity
// becomes the ceiling (its last group may be partial). The network of N is a prefix of N + 1's.
// Precondition: validate_cluster found nothing.
[[nodiscard]] Network build_network(const Cluster& cluster);

// Devices the levels can hold; 0 when the outermost is open-ended.
[[nodiscard]] std::int64_t max_devices(const Cluster& cluster);

// A group of ranks: all sums of index * stride over its factors, inner factor first. Outer strides
// are at least the extent of the inner factors.
struct Factor {
  std::int64_t size = 1;
  std::int64_t stride = 1;
};
struct Group {
  std::array<Factor, 3> factors{};
  [[nodiscard]] std::int64_t size() const {
    return factors[0].size * factors[1].size * factors[2].size;
  }
};

// Members of a group that share one group of each level with a given member: non-decreasing,
// ending at the group's size. A group that straddles a boundary is priced at its worst member.
struct Members {
  std::array<std::int64_t, kMaxLevels> within{};
  std::int64_t size = 1;
  friend bool operator==(const Members&, const Members&) = default;
};
// Precondition: the job occupies devices 0 ... used - 1.
[[nodiscard]] Members members_of(const Group& group, const Network& network, std::int64_t used);

// No group of this size on any placement has more members within any level: all of them where they
// fit, else a divisor of both (members_of takes gcds of the same numbers divided by the stride).
[[nodiscard]] Members innermost_members(std::int64_t size, const Network& network);

// Index of the outermost level a group crosses; 0 for a group inside the innermost.
[[nodiscard]] std::int64_t span_of(const Members& members);

// The level a message crosses between stages `from` and `to` when every stage holds blocks of
// `stride` consecutive devices, `pp` stages side by side, repeated: the worst over all ranks.
[[nodiscard]] std::int64_t stage_boundary_level(const Network& network, std::int64_t stride,
                                                std::int64_t pp, std::int64_t from, std::int64_t to,
                                                std::int64_t used);

}  // namespace nestplan
