// Models whose parameter counts are known to the unit. `total` counts parameters (not stored
// tensors, see the notes); `active` counts what one token uses, input embedding and head included.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/spec.h"

namespace nestplan::published {

struct KnownModel {
  std::string id;
  ModelSpec spec;
  std::int64_t total = 0;
  std::int64_t active = 0;
  std::string source;  // where the hyperparameters and the total come from
};

// All 33.
[[nodiscard]] std::vector<KnownModel> known_models();

}  // namespace nestplan::published
