// Answers as text for a terminal. Shows the numbers of the answer; computes none but shares.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace nestplan {

// The value of a verb's answer; ends in a line break.
[[nodiscard]] std::string report_text(std::string_view verb, const nlohmann::ordered_json& value);

// A plan, or why none fits.
[[nodiscard]] std::string plan_report(const nlohmann::ordered_json& value);

// "path: message (hint)", one line each.
[[nodiscard]] std::string issues_text(const nlohmann::ordered_json& errors);

}  // namespace nestplan
