// What can be asked, by name. One table for the command line and for WebAssembly, so that both give
// the same bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/presets.h"

namespace nestplan {

// A document given to a verb: a request, an instance, a config file. `name` is for messages.
struct Input {
  std::string name;
  std::string text;
};

enum class InputKind {
  kNone,
  kRequest,  // one request; the command line can make it from flags
  kFile,     // one document of another kind
  kFiles,    // one or more of them
};

struct Verb {
  std::string_view name;
  InputKind input;
  std::string_view arguments;  // for the usage line
  std::string_view summary;
  // Throws InputError.
  nlohmann::ordered_json (*run)(std::span<const Input> inputs, const Presets& presets);
};

[[nodiscard]] std::span<const Verb> verbs();
// Null when there is no such verb.
[[nodiscard]] const Verb* find_verb(std::string_view name);

}  // namespace nestplan
