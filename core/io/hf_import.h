// Reads the config.json of a Hugging Face model. Decoder-only language models and BERT; of a
// multimodal model its language part (`text_config`). What the parameter count needs is read
// exactly; every other key is listed, so that nothing is skipped in silence.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/spec.h"

namespace nestplan {

struct HfImport {
  ModelSpec model;
  // Keys without influence on the plan (activation, rotary base, token ids, ...), and keys that
  // this importer does not know. Nested ones read "text_config.key". Sorted.
  std::vector<std::string> ignored_keys;
  std::vector<std::string> unknown_keys;
};

// Throws InputError with every fault found: an architecture that cannot be priced, a missing key,
// a wrong type, a value out of range. Paths are JSON Pointers into `config`.
[[nodiscard]] HfImport import_hf_config(const nlohmann::json& config);

// The values of `model_type` that can be read, sorted.
[[nodiscard]] std::vector<std::string> hf_model_types();

}  // namespace nestplan
