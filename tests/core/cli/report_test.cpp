#include "cli/report.h"

#include <gtest/gtest.h>

namespace nestplan {
namespace {

using nlohmann::ordered_json;

TEST(Report, AnIssueIsPathMessageAndHint) {
  const ordered_json errors = ordered_json::parse(
      R"([{"path": "/a", "code": "c", "message": "m", "hint": "h"},
          {"path": "", "code": "c", "message": "n"}])");
  EXPECT_EQ(issues_text(errors), "/a: m (h)\nnestplan: n\n");
}

TEST(Report, NestRowsWithoutAPlanSaySo) {
  const ordered_json rows = ordered_json::parse(
      R"([{"file": "a.json", "feasible": true, "step": 1.5, "dp": 2, "tp": 4, "stages": 1,
           "cuts": [0, 3]},
          {"file": "b.json", "feasible": false}])");
  EXPECT_EQ(report_text("nest", rows),
            "file            step  dp  tp  stages  cuts\n"
            "a.json           1.5   2   4       1  0 3\n"
            "b.json  no plan fits\n");
}

TEST(Report, OtherDocumentsAreShownAsTheyAre) {
  EXPECT_EQ(report_text("graph", ordered_json::parse(R"({"levels": 1})")),
            "{\n  \"levels\": 1\n}\n");
}

}  // namespace
}  // namespace nestplan
