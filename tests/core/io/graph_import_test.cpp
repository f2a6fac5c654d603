#include "io/graph_import.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/issue.h"

namespace nestplan {
namespace {

using nlohmann::json;
using Paths = std::vector<std::string>;

json two_pairs() {
  return json::parse(R"({
    "format": "nestplan.graph/1", "devices": 4,
    "links": [{"a": 0, "b": 1, "bandwidth_bytes_per_s": 100, "latency_s": 0.5},
              {"a": 2, "b": 3, "bandwidth_bytes_per_s": 100, "latency_s": 0.5},
              {"a": 0, "b": 2, "bandwidth_bytes_per_s": 10},
              {"a": 1, "b": 3, "bandwidth_bytes_per_s": 10}]
  })");
}

Paths paths_of(const json& document) {
  Paths paths;
  try {
    static_cast<void>(parse_graph(document.dump()));
  } catch (const InputError& error) {
    for (const Issue& issue : error.issues()) paths.push_back(issue.path);
  }
  return paths;
}

TEST(GraphImport, WritesLevelsAndTheirError) {
  // Across, each device sends half to either of the other pair: 0 -> 2 straight, 0 -> 3 over 1 or
  // over 2, a quarter each. Link 0-2 carries 0 -> 2 (1/2), 0 -> 3 (1/4) and 1 -> 2 (1/4): one
  // device's worth. Latency 0 or 0.5, on average 0.25; but as a path it counts for no less than
  // level 1's 0.5, which is wrong for 0 -> 2 and 1 -> 3 and back: 4 of 12 pairs.
  EXPECT_EQ(
      graph_answer(two_pairs().dump()).dump(),
      R"({"levels":[{"name":"level 1","arity":2,"bandwidth_bytes_per_s":100.0,"efficiency":1.0,)"
      R"("latency_s":0.5,"kind":"switch"},{"name":"level 2","arity":2,)"
      R"("bandwidth_bytes_per_s":10.0,"efficiency":1.0,"latency_s":0.25,"kind":"switch"}],)"
      R"("order":[0,1,2,3],"error":{"bandwidth":{"max":0.0,"mean":0.0},)"
      R"("latency":{"max":1.0,"mean":0.3333333333333333}}})");
}

TEST(GraphImport, WritesTheSizesOfATorus) {
  json document = {{"format", "nestplan.graph/1"}, {"devices", 9}, {"links", json::array()}};
  for (int i = 0; i < 9; ++i)
    for (const int next : {i / 3 * 3 + (i + 1) % 3, (i + 3) % 9})
      document["links"].push_back({{"a", i}, {"b", next}, {"bandwidth_bytes_per_s", 5}});
  const json level = json(graph_answer(document.dump()))["levels"][0];
  EXPECT_EQ(level["kind"], "torus");
  EXPECT_EQ(level["dims"], json({3, 3}));
  EXPECT_EQ(level["bandwidth_bytes_per_s"], 10);
}

TEST(GraphImport, ReportsEveryFaultAtOnce) {
  json document = two_pairs();
  document["format"] = "nestplan.graph/2";
  document["device"] = 4;
  document["links"][0]["a"] = 4;
  document["links"][1].erase("bandwidth_bytes_per_s");
  document["links"][2]["latency"] = 1;
  document["links"][3]["b"] = 1;
  EXPECT_EQ(paths_of(document),
            (Paths{"/device", "/format", "/links/0/a", "/links/1/bandwidth_bytes_per_s",
                   "/links/2/latency", "/links/3/b"}));
  EXPECT_EQ(paths_of(json::array()), (Paths{""}));
  EXPECT_EQ(paths_of(json::object()), (Paths{"/format", "/devices", "/links"}));
}

TEST(GraphImport, RejectsWhatIsOutOfRange) {
  json document = two_pairs();
  document["devices"] = 1;
  EXPECT_EQ(paths_of(document).front(), "/devices");
  document["devices"] = 1025;
  EXPECT_EQ(paths_of(document).front(), "/devices");
  document = two_pairs();
  document["links"][0]["bandwidth_bytes_per_s"] = 0;
  document["links"][1]["latency_s"] = -1;
  document["links"][2] = 7;
  EXPECT_EQ(paths_of(document),
            (Paths{"/links/0/bandwidth_bytes_per_s", "/links/1/latency_s", "/links/2"}));
}

TEST(GraphImport, NamesTheDevicesOutOfReach) {
  json document = two_pairs();
  document["links"].erase(3);
  document["links"].erase(2);
  try {
    static_cast<void>(parse_graph(document.dump()));
    FAIL() << "no fault found";
  } catch (const InputError& error) {
    ASSERT_EQ(error.issues().size(), 1u);
    EXPECT_EQ(error.issues()[0].code, "disconnected");
    EXPECT_EQ(error.issues()[0].message,
              "found no path from device 0 to 2 devices: 2, 3; allowed: a connected network");
  }
}

}  // namespace
}  // namespace nestplan
