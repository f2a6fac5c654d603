// A Request as the document that means exactly it: every default written, no preset names.
#pragma once

#include <nlohmann/json.hpp>

#include "plan/request.h"

namespace nestplan {

// Parses back to an equal Request.
[[nodiscard]] nlohmann::ordered_json write_request(const Request& request);

}  // namespace nestplan
