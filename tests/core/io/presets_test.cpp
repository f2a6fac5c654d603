#include "io/presets.h"

#include <gtest/gtest.h>

#include "base/issue.h"

namespace nestplan {
namespace {

TEST(PresetBundle, FindsByKindAndId) {
  const Presets presets(R"({"models": {"a": {"name": "A", "value": {"layers": 3}},
                                       "b": {"name": "B", "value": {}}}})");
  EXPECT_EQ(presets.ids("models"), (std::vector<std::string>{"a", "b"}));
  ASSERT_NE(presets.value("models", "a"), nullptr);
  EXPECT_EQ(presets.value("models", "a")->at("layers"), 3);
  EXPECT_EQ(presets.file("models", "b")->at("name"), "B");
  EXPECT_EQ(presets.value("models", "c"), nullptr);
  EXPECT_EQ(presets.value("clusters", "a"), nullptr);
  EXPECT_TRUE(presets.ids("stacks").empty());
  EXPECT_EQ(Presets().value("models", "a"), nullptr);
}

TEST(PresetBundle, RefusesAnotherShape) {
  for (const char* text : {"{", "[]", R"({"models": []})", R"({"models": {"a": {}}})",
                           R"({"models": {"a": {"value": 1}}})", R"({"stacks": {"a": 2}})"}) {
    EXPECT_THROW(Presets{text}, InputError) << text;
  }
}

}  // namespace
}  // namespace nestplan
