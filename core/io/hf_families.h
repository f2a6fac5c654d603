// One function per family of architectures: which keys of its config.json describe which field,
// with the defaults of its configuration class in huggingface/transformers 4.5x.
#pragma once

#include <span>

#include "io/hf_reader.h"
#include "model/spec.h"

namespace nestplan {

struct HfFamily {
  const char* model_type;
  void (*read)(HfReader& reader, ModelSpec& model);
};

// Sorted by model_type; several may share a function.
[[nodiscard]] std::span<const HfFamily> hf_families();

}  // namespace nestplan
