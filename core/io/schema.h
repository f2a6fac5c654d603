// The field table as a JSON Schema (draft 2020-12): for editors, the page's form and the types.
#pragma once

#include <nlohmann/json.hpp>

namespace nestplan {

// Schema of a request document. x-unit and x-source carry the unit and the source of the default.
[[nodiscard]] nlohmann::ordered_json request_schema();

}  // namespace nestplan
