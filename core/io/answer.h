// The envelope of every answer: {"ok": true, "value": ...} or {"ok": false, "errors": [...]}, and
// the exit status that goes with it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/issue.h"

namespace nestplan {

constexpr int kAnswered = 0;
constexpr int kNothingFits = 1;  // an answer all the same
constexpr int kBadInput = 2;

struct Answer {
  nlohmann::ordered_json document;
  int exit_code = kAnswered;
};

[[nodiscard]] Answer answered(nlohmann::ordered_json value, int exit_code = kAnswered);
[[nodiscard]] Answer refused(std::span<const Issue> issues);

// What `run` returns. Never throws: bad input becomes its issues, a defect of ours one issue with
// the code "internal".
[[nodiscard]] Answer guarded(const std::function<Answer()>& run);

// One line, the same bytes on every machine.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document);

}  // namespace nestplan
