// Runs one command line. Everything outside the process comes in through `Outside`, so that tests
// need no files and no clock.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/presets.h"

namespace nestplan {

struct Outside {
  // The whole of a file, or of standard input for "-"; empty when it cannot be read.
  std::function<std::optional<std::string>(const std::string& name)> read;
  // Seconds since some fixed moment.
  std::function<double()> clock;
};

struct CommandResult {
  std::string out;  // for standard output
  std::string err;  // for standard error
  int exit_code = 0;
};

// Exit codes: 0 answered, 1 no plan fits (the answer is printed), 2 bad input (nothing on standard
// output but, with --json, the answer that lists the faults).
[[nodiscard]] CommandResult run_command(std::span<const std::string> words, const Presets& presets,
                                        std::string_view version, const Outside& outside);

}  // namespace nestplan
