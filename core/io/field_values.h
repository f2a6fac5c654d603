// JSON value -> one C++ value under a row of the field table; every fault goes to a list.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/issue.h"
#include "io/fields.h"

namespace nestplan {

// A list of faults that stops growing at a thousand.
class IssueList {
 public:
  void add(std::string path, std::string code, std::string message, std::string hint = "");
  [[nodiscard]] bool empty() const { return issues_.empty(); }
  // Whether a fault is at `path` or below.
  [[nodiscard]] bool any_below(std::string_view path) const;
  // Throws InputError if there is any.
  void finish();

 private:
  std::vector<Issue> issues_;
};

// What a value is read with: its row, the value, its JSON Pointer and where faults go.
struct ValueAt {
  const FieldInfo& info;
  const nlohmann::ordered_json& value;
  const std::string& path;
  IssueList& issues;
};

// Empty when a fault was reported.
[[nodiscard]] std::optional<double> read_number(const ValueAt& at);
[[nodiscard]] std::optional<std::int64_t> read_whole(const ValueAt& at);
[[nodiscard]] std::optional<bool> read_flag(const ValueAt& at);
[[nodiscard]] std::optional<std::string> read_text(const ValueAt& at);
// An index into the row's choices.
[[nodiscard]] std::optional<int> read_choice(const ValueAt& at);
// True for an array with as many entries as the row allows.
[[nodiscard]] bool check_array(const ValueAt& at);
[[nodiscard]] std::optional<std::vector<std::int64_t>> read_wholes(const ValueAt& at);
[[nodiscard]] std::optional<std::vector<std::string>> read_texts(const ValueAt& at);

}  // namespace nestplan
