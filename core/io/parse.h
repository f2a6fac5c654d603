// A request document -> Request: preset names resolved, defaults filled in from the field table,
// every fault found. Knows nothing of what a planner can run.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/presets.h"
#include "plan/request.h"

namespace nestplan {

// Throws InputError with every fault of the document, its cluster and its model. `text` may hold
// at most 8 MB of JSON, nested at most 64 deep, without duplicate keys.
[[nodiscard]] Request parse_request(std::string_view text, const Presets& presets);
// The same for a document that is JSON already.
[[nodiscard]] Request request_from_json(const nlohmann::ordered_json& document,
                                        const Presets& presets);
// A template, so that text never turns into a JSON string on its way here.
template <std::same_as<nlohmann::ordered_json> Document>
[[nodiscard]] Request parse_request(const Document& document, const Presets& presets) {
  return request_from_json(document, presets);
}

}  // namespace nestplan
