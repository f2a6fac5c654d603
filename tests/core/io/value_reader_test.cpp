#include "io/value_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace nestplan {
namespace {

using nlohmann::json;

TEST(ValueReader, ReadsWhatIsRightAndThrowsWhatIsNot) {
  const json object = {{"count", 3.0}, {"rate", 0}, {"share", 2.5}, {"text", "x"}, {"a/b~", 1}};
  ValueReader reader;
  EXPECT_EQ(reader.whole(object, "", "count", kCount), 3);
  EXPECT_EQ(reader.number(object, "", "share", kAmount), 2.5);
  EXPECT_NE(reader.member(object, "", "text", &json::is_string, "a text"), nullptr);
  EXPECT_TRUE(reader.clean());
  static_cast<void>(reader.number(object, "/x", "rate", kRate));
  static_cast<void>(reader.whole(object, "/x", "share", kCount));
  static_cast<void>(reader.number(object, "/x", "text", kAmount));
  static_cast<void>(reader.number(object, "/x", "none", kAmount));
  EXPECT_EQ(reader.member(object, "/x", "count", &json::is_string, "a text"), nullptr);
  reader.only(object, "/x", {"count", "rate", "share", "text"});
  EXPECT_FALSE(reader.clean());
  std::string seen;
  try {
    reader.finish();
  } catch (const InputError& error) {
    for (const Issue& issue : error.issues()) seen += issue.path + " " + issue.code + "\n";
  }
  EXPECT_EQ(seen,
            "/x/rate out-of-range\n/x/share out-of-range\n/x/text wrong-type\n/x/none missing-key\n"
            "/x/count wrong-type\n/x/a~1b~0 unknown-key\n");
}

TEST(ValueReader, ShortensLongValuesInMessages) {
  EXPECT_EQ(found_value(json::array({1, 2})), "found [1,2]");
  EXPECT_EQ(found_value(json(std::string(99, 'x'))), "found string");
  EXPECT_EQ(found_value(json(std::vector<int>(99, 7))), "found array of 99 entries");
}

}  // namespace
}  // namespace nestplan
