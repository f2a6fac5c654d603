// A Request as the document that means exactly it: every default written, no preset names.
#pragma once

#include <nlohmann/json.hpp>

#include "io/fields.h"
#include "plan/request.h"

namespace nestplan {

// Parses back to an equal Request. Leaves out what is free, empty or off.
[[nodiscard]] nlohmann::ordered_json write_request(const Request& request);
// What a slot holds, as JSON; null for an empty optional.
[[nodiscard]] nlohmann::ordered_json slot_value(const FieldInfo& info, const Slot& slot);

}  // namespace nestplan
