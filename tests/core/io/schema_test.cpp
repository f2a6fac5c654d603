#include "io/schema.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace nestplan {
namespace {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

ordered_json at(const char* path) { return request_schema().at(Pointer(path)); }

TEST(RequestSchema, StatesWhatTheFieldTableStates) {
  EXPECT_EQ(at("/$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(at("/required"), (ordered_json{"model", "cluster"}));
  const ordered_json batch = at("/properties/training/properties/global_batch_sequences");
  EXPECT_EQ(batch.at("type"), "integer");
  EXPECT_EQ(batch.at("minimum"), 1);
  EXPECT_EQ(batch.at("default"), 1024);
  EXPECT_EQ(batch.at("x-unit"), "sequences");
  EXPECT_FALSE(batch.at("x-source").get<std::string>().empty());
  const ordered_json recompute = at("/properties/search/properties/pins/properties/recompute");
  EXPECT_EQ(recompute.at("enum"), (ordered_json{"none", "selective", "full"}));
  EXPECT_FALSE(recompute.contains("default"));
}

TEST(RequestSchema, APresetIsAnIdOrAnObject) {
  EXPECT_EQ(at("/properties/model/anyOf/0/type"), "string");
  EXPECT_TRUE(at("/properties/model/anyOf/1/properties").contains("preset"));
  EXPECT_EQ(at("/properties/stack/default/preset"), "megatron-core");
  EXPECT_TRUE(at("/properties/cluster/anyOf/1/properties/accelerator").contains("anyOf"));
}

// Every object is closed and every schema of a value is titled and described.
void check_node(const ordered_json& node, const std::string& path) {
  if (node.contains("anyOf")) {
    for (const ordered_json& branch : node.at("anyOf")) check_node(branch, path);
  }
  if (node.contains("items")) check_node(node.at("items"), path + "/0");
  if (!node.contains("properties")) return;
  EXPECT_EQ(node.at("additionalProperties"), false) << path;
  for (const auto& [key, inner] : node.at("properties").items()) {
    EXPECT_FALSE(inner.at("title").get<std::string>().empty()) << path << "/" << key;
    EXPECT_FALSE(inner.at("description").get<std::string>().empty()) << path << "/" << key;
    check_node(inner, path + "/" + key);
  }
}

TEST(RequestSchema, EveryObjectIsClosedAndEveryValueDescribed) { check_node(request_schema(), ""); }

}  // namespace
}  // namespace nestplan
