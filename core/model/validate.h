// Faults of a model description that no single field shows: what does not divide, what is half
// given, what would overflow. Bounds of single fields belong to the field table; the ones that
// `build_chain` relies on are repeated here.
#pragma once

#include <vector>

#include "base/issue.h"
#include "model/spec.h"

namespace nestplan {

// Every fault found, with paths below "/model"; empty when `build_chain` may be called.
[[nodiscard]] std::vector<Issue> validate_model(const ModelSpec& spec);

}  // namespace nestplan
