// JSON text -> value, for text from outside: limits on size and depth, no duplicate keys, no
// invalid UTF-8, no number beyond a double.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace nestplan {

// Throws InputError: "bad-json", "duplicate-key" (all of them) or "too-large".
[[nodiscard]] nlohmann::ordered_json parse_strict_json(std::string_view text);

}  // namespace nestplan
