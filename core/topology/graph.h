// An arbitrary network of devices, switches and links, reduced to nested levels, with the error
// that the reduction makes. The planner knows levels only (cluster.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "topology/cluster.h"

namespace nestplan {

// Full duplex: `bandwidth` each way. Vertices 0 ... devices - 1 are devices, the next are switches.
struct GraphLink {
  std::int64_t a = 0;
  std::int64_t b = 0;
  BytesPerSecond bandwidth;
  Seconds latency;
};
struct DeviceGraph {
  std::int64_t devices = 0;
  std::int64_t switches = 0;
  std::vector<GraphLink> links;
};

// |levels - graph| / graph, over all ordered pairs of devices.
struct RelativeError {
  double max = 0;
  double mean = 0;
};

struct GraphReduction {
  std::vector<Level> levels;        // innermost first; the last group of a level may be partial
  std::vector<std::int64_t> order;  // the device at each rank of the levels
  // Bandwidth: rate per device when all devices send across the pair's level at once. Latency: of
  // the path, with nothing else on it.
  RelativeError bandwidth;
  RelativeError latency;
};

// Devices that no path joins to device 0, ascending. Precondition: links name vertices that exist.
[[nodiscard]] std::vector<std::int64_t> unreachable_devices(const DeviceGraph& graph);

// Precondition: at least two devices, links between different existing vertices with a bandwidth
// above 0, unreachable_devices is empty. The cost grows with devices * links: for up to about 1,000
// devices. The same graph gives the same answer, whatever the order of its links.
[[nodiscard]] GraphReduction reduce_graph(const DeviceGraph& graph);

}  // namespace nestplan
