// Words for faults of a request: what was found, what is allowed, what was probably meant.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/fields.h"

namespace nestplan {

// "found 3", "found \"abc\"", "found an array of 4 entries".
[[nodiscard]] std::string found_text(const nlohmann::ordered_json& value);
// Whole numbers without a fraction.
[[nodiscard]] std::string number_text(double value);
// "a whole number from 1 to 10000 (tokens)"; `kind` is "a number" or "a whole number".
[[nodiscard]] std::string range_text(const FieldInfo& info, std::string_view kind);
// The most similar of `names`, or "" where none is similar.
[[nodiscard]] std::string nearest_name(std::string_view wrong,
                                       const std::vector<std::string>& names);
// "did you mean \"x\"?", or "".
[[nodiscard]] std::string meant_text(std::string_view wrong, const std::vector<std::string>& names);
// "\"a\", \"b\", \"c\"".
[[nodiscard]] std::string list_text(const std::vector<std::string_view>& names);

}  // namespace nestplan
