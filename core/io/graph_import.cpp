#include "io/graph_import.h"

#include <string>
#include <utility>
#include <vector>

#include "io/value_reader.h"

namespace nestplan {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr ValueRange kDevices{2, static_cast<double>(kMostGraphDevices),
                              "a whole number from 2 to 1024"};
constexpr ValueRange kSwitches{0, 4096, "a whole number from 0 to 4096"};
constexpr std::size_t kMostLinks = 65536;

GraphLink read_link(ValueReader& reader, const json& value, const std::string& path,
                    std::int64_t vertices) {
  if (!value.is_object()) {
    reader.report(path, "wrong-type", found_value(value) + "; allowed: an object");
    return {};
  }
  reader.only(value, path, {"a", "b", "bandwidth_bytes_per_s", "latency_s"});
  const std::string allowed =
      "a whole number from 0 to " + std::to_string(vertices - 1) + ", a device or switch";
  const ValueRange range{0, static_cast<double>(vertices - 1), allowed.c_str()};
  GraphLink link{
      .a = reader.whole(value, path, "a", range),
      .b = reader.whole(value, path, "b", range),
      .bandwidth = BytesPerSecond(reader.number(value, path, "bandwidth_bytes_per_s", kRate)),
      .latency = Seconds(0)};
  if (value.contains("latency_s"))
    link.latency = Seconds(reader.number(value, path, "latency_s", kAmount));
  if (link.a == link.b && value.contains("a") && value.contains("b") && value["a"] == value["b"])
    reader.report(path + "/b", "out-of-range",
                  "found " + std::to_string(link.b) + " at both ends; allowed: another vertex");
  return link;
}

void read_links(ValueReader& reader, const json& document, DeviceGraph& graph) {
  const json* links = reader.member(document, "", "links", &json::is_array, "an array of links");
  if (links == nullptr) return;
  if (links->size() > kMostLinks) {
    reader.report(
        "/links", "out-of-range",
        found_value(*links) + "; allowed: at most " + std::to_string(kMostLinks) + " links");
    return;
  }
  for (std::size_t i = 0; i < links->size(); ++i)
    graph.links.push_back(read_link(reader, (*links)[i], "/links/" + std::to_string(i),
                                    graph.devices + graph.switches));
}

void check_connected(ValueReader& reader, const DeviceGraph& graph) {
  const std::vector<std::int64_t> missing = unreachable_devices(graph);
  if (missing.empty()) return;
  std::string some;
  for (std::size_t i = 0; i < missing.size() && i < 8; ++i)
    some += (i == 0 ? "" : ", ") + std::to_string(missing[i]);
  if (missing.size() > 8) some += ", ...";
  reader.report("/links", "disconnected",
                "found no path from device 0 to " + std::to_string(missing.size()) +
                    " devices: " + some + "; allowed: a connected network");
}

ordered_json write_level(const Level& level) {
  const char* kind = level.kind == LevelKind::kSwitch ? "switch"
                     : level.kind == LevelKind::kRing ? "ring"
                                                      : "torus";
  ordered_json row = {{"name", level.name},
                      {"arity", level.arity},
                      {"bandwidth_bytes_per_s", level.bandwidth.value()},
                      {"efficiency", level.efficiency},
                      {"latency_s", level.latency.value()},
                      {"kind", kind}};
  if (level.kind == LevelKind::kTorus) row["dims"] = level.dims;
  return row;
}

}  // namespace

DeviceGraph parse_graph(std::string_view text) {
  const json document = parse_json(text);
  ValueReader reader;
  DeviceGraph graph;
  if (!document.is_object()) {
    reader.report("", "wrong-type", found_value(document) + "; allowed: an object");
    reader.finish();
  }
  reader.only(document, "", {"format", "devices", "switches", "links"});
  const json* format = reader.member(document, "", "format");
  if (format != nullptr && *format != "nestplan.graph/1")
    reader.report("/format", "out-of-range",
                  found_value(*format) + "; allowed: \"nestplan.graph/1\"");
  graph.devices = reader.whole(document, "", "devices", kDevices);
  if (document.contains("switches"))
    graph.switches = reader.whole(document, "", "switches", kSwitches);
  read_links(reader, document, graph);
  if (reader.clean()) check_connected(reader, graph);
  reader.finish();
  return graph;
}

ordered_json write_reduction(const GraphReduction& reduction) {
  ordered_json levels = ordered_json::array();
  for (const Level& level : reduction.levels) levels.push_back(write_level(level));
  const auto error = [](const RelativeError& off) {
    return ordered_json{{"max", off.max}, {"mean", off.mean}};
  };
  return {{"levels", levels},
          {"order", reduction.order},
          {"error",
           {{"bandwidth", error(reduction.bandwidth)}, {"latency", error(reduction.latency)}}}};
}

ordered_json graph_answer(std::string_view text) {
  return write_reduction(reduce_graph(parse_graph(text)));
}

}  // namespace nestplan
