#include "topology/network.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/math.h"

namespace nestplan {
namespace {

// The unfolded sub-levels of one level: itself, or one per torus dimension.
std::vector<std::int64_t> arities(const Level& level) {
  if (level.kind == LevelKind::kTorus) return level.dims;
  return {level.arity};
}

}  // namespace

std::int64_t max_devices(const Cluster& cluster) {
  std::int64_t devices = 1;
  for (const Level& level : cluster.levels) devices *= level.arity;
  return devices;
}

Network build_network(const Cluster& cluster) {
  Network network{.levels = {}, .devices = cluster.devices, .node_size = 1};
  std::int64_t capacity = 1;
  BytesPerSecond bandwidth(0);
  Seconds latency(0);
  for (const Level& level : cluster.levels) {
    const BytesPerSecond achieved = level.bandwidth * level.efficiency;
    bandwidth = network.levels.empty() ? achieved : min(bandwidth, achieved);
    latency = max(latency, level.latency);
    const std::vector<std::int64_t> parts = arities(level);
    for (std::size_t i = 0; i < parts.size() && capacity < cluster.devices; ++i) {
      const std::int64_t rest = ceil_div(cluster.devices, capacity);
      const std::int64_t arity = parts[i] == 0 ? rest : std::min(parts[i], rest);
      capacity *= arity;
      std::string name = level.name;
      if (parts.size() > 1) name += " dimension " + std::to_string(i + 1);
      const std::int64_t ring_size = level.kind == LevelKind::kSwitch ? 0 : parts[i];
      network.levels.push_back({std::move(name), capacity, bandwidth, latency, ring_size});
    }
    if (capacity >= cluster.devices) break;
  }
  if (network.levels.empty()) {  // a single device talks to nobody
    const Level& level = cluster.levels.front();
    network.levels.push_back({level.name, 1, level.bandwidth * level.efficiency, level.latency, 0});
  }
  CHECK(capacity >= cluster.devices, "more devices than the levels hold");
  CHECK(std::ssize(network.levels) <= kMaxLevels, "too many levels");
  const Level& inner = cluster.levels.front();
  if (inner.kind == LevelKind::kSwitch && inner.arity > 0) network.node_size = inner.arity;
  return network;
}

Members members_of(const Group& group, const Network& network, std::int64_t used) {
  Members members;
  members.size = group.size();
  for (std::size_t l = 0; l < network.levels.size(); ++l) {
    const std::int64_t capacity = network.levels[l].capacity;
    if (capacity >= used) {
      members.within[l] = members.size;
      continue;
    }
    std::int64_t within = 1;
    for (const Factor& factor : group.factors) {
      if (factor.size == 1) continue;
      const std::int64_t inside =
          capacity % factor.stride == 0 ? std::gcd(factor.size, capacity / factor.stride) : 1;
      within *= inside;
      if (inside < factor.size) break;
    }
    // Never fewer than at an inner level: the gcd of a wider group is a multiple of a narrower's.
    members.within[l] = l == 0 ? within : std::max(within, members.within[l - 1]);
  }
  for (std::size_t l = network.levels.size(); l < members.within.size(); ++l) {
    members.within[l] = members.size;
  }
  return members;
}

Members innermost_members(std::int64_t size, const Network& network) {
  Members members;
  members.size = size;
  members.within.fill(size);
  for (std::size_t l = 0; l < network.levels.size(); ++l) {
    const std::int64_t capacity = network.levels[l].capacity;
    if (size > capacity) members.within[l] = std::gcd(size, capacity);
    if (l > 0) members.within[l] = std::max(members.within[l], members.within[l - 1]);
  }
  return members;
}

std::int64_t span_of(const Members& members) {
  std::int64_t level = 0;
  while (members.within[static_cast<std::size_t>(level)] < members.size) ++level;
  return level;
}

std::int64_t stage_boundary_level(const Network& network, std::int64_t stride, std::int64_t pp,
                                  std::int64_t from, std::int64_t to, std::int64_t used) {
  const std::int64_t period = stride * pp;
  std::int64_t worst = 0;
  for (std::int64_t l = 0; l < std::ssize(network.levels); ++l) {
    const std::int64_t capacity = network.levels[static_cast<std::size_t>(l)].capacity;
    if (capacity >= used) return worst;
    worst = l + 1;
    if (stride >= capacity) continue;  // neighbours are at least a whole group apart
    // Some rank crosses a group boundary unless both blocks lie in one group in every repetition.
    const std::int64_t low = std::min(from, to) * stride;
    const std::int64_t high = (std::max(from, to) + 1) * stride - 1;
    bool crosses = false;
    const std::int64_t repetitions = used / period;
    const std::int64_t cycle = std::lcm(period, capacity) / period;
    for (std::int64_t r = 0; r < std::min(repetitions, cycle) && !crosses; ++r) {
      // Ranks keep their offset inside the block, so the ends of the two blocks decide.
      const std::int64_t base = r * period;
      const std::int64_t first_pair = (base + low) / capacity;
      const std::int64_t last_pair = (base + high) / capacity;
      crosses = first_pair != last_pair;
    }
    if (!crosses) return l;
  }
  return std::min(worst, static_cast<std::int64_t>(std::ssize(network.levels)) - 1);
}

}  // namespace nestplan
