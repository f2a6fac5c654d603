// A network as a list of links, read and reduced to the levels of a request (topology/graph).
//
//   {"format": "nestplan.graph/1", "devices": 16, "switches": 3,
//    "links": [{"a": 0, "b": 16, "bandwidth_bytes_per_s": 450e9, "latency_s": 1e-6}, ...]}
//
// Bandwidth is per direction. Devices are 0 ... devices - 1, switches the numbers after them;
// "switches" and "latency_s" may be left out when 0.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "topology/graph.h"

namespace nestplan {

// The reduction takes the square of the devices in memory and more in time; larger networks repeat
// themselves and can be given as levels.
constexpr std::int64_t kMostGraphDevices = 1024;

// Throws InputError with every fault found, unreachable devices among them.
[[nodiscard]] DeviceGraph parse_graph(std::string_view text);

// {"levels": [...] as in a request, "order": [device at each rank],
//  "error": {"bandwidth": {"max", "mean"}, "latency": {"max", "mean"}}}; errors are fractions.
[[nodiscard]] nlohmann::ordered_json write_reduction(const GraphReduction& reduction);
[[nodiscard]] nlohmann::ordered_json graph_answer(std::string_view text);

}  // namespace nestplan
