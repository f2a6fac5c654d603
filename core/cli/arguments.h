// The command line as data: verb, files, switches, and edits of the request document. Knows how
// options are spelled; what their values may be is the request parser's business.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/issue.h"

namespace nestplan {

// Sets the value at a JSON Pointer into the request.
struct Edit {
  std::string pointer;
  nlohmann::ordered_json value;
};

struct Arguments {
  std::string verb;
  std::vector<std::string> files;  // "-": standard input
  std::vector<Edit> edits;         // in the order given; a later one wins
  bool json = false;
  bool timing = false;
  bool help = false;
  bool version = false;
  std::vector<Issue> faults;  // options that do not exist or lack a value
};

// `words`: argv without the program's name.
[[nodiscard]] Arguments parse_arguments(std::span<const std::string> words);

// The options, one per line, for the help page.
[[nodiscard]] std::string options_text();

}  // namespace nestplan
