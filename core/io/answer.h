// The envelope of every answer: {"ok": true, "value"} or {"ok": false, "errors"}.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/issue.h"

namespace nestplan {

[[nodiscard]] nlohmann::ordered_json ok_answer(nlohmann::ordered_json value);
[[nodiscard]] nlohmann::ordered_json error_answer(const std::vector<Issue>& issues);

// What `work` returns, in its envelope. Never throws: bad input becomes its errors, a defect of
// ours one error with the code "internal".
[[nodiscard]] nlohmann::ordered_json answer_of(const std::function<nlohmann::ordered_json()>& work);

// The text of a document: one line, the same bytes on every machine.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document);

// How the command line leaves: 0 answered, 1 nothing fits, 2 bad input, 3 a defect of ours.
[[nodiscard]] int exit_code(const nlohmann::ordered_json& answer);

}  // namespace nestplan
