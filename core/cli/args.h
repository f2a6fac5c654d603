// The command line as data: what is asked, and the request that flags stand for. Reads no file.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/issue.h"

namespace nestplan {

// One change to a request: the value at a JSON Pointer.
struct Setting {
  std::string flag;  // as given, for messages
  std::string pointer;
  nlohmann::ordered_json value;
};

struct Args {
  std::string verb;                // empty: none given
  std::vector<std::string> files;  // "-": standard input
  std::vector<Setting> settings;   // in order; a later one wins
  bool json = false;
  bool timing = false;
  bool help = false;
  bool version = false;
  std::vector<Issue> issues;  // paths are flags: "--pin"
};

// `words`: the arguments without the program's name. Faults are collected, so that `json` is known
// when they are reported.
[[nodiscard]] Args parse_args(std::span<const std::string> words);

// `document` with every setting made; objects on the way to a new key appear. Throws InputError
// where a pointer leads into something that is not an object or array.
[[nodiscard]] nlohmann::ordered_json apply_settings(nlohmann::ordered_json document,
                                                    std::span<const Setting> settings);

}  // namespace nestplan
