// Reads values out of JSON that is not a request (a request has the field table) and collects what
// is wrong with them, each fault with its JSON Pointer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/issue.h"

namespace nestplan {

struct ValueRange {
  double least;
  double most;
  const char* text;  // for the message
};
constexpr ValueRange kAmount{0, 1e30, "a number from 0 to 1e30"};
constexpr ValueRange kRate{1e-30, 1e30, "a number above 0, at most 1e30"};
constexpr ValueRange kCount{1, 1e9, "a whole number from 1 to 1e9"};

// Throws InputError when `text` is not JSON.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);
// The value, shortened, for a message: "found 3".
[[nodiscard]] std::string found_value(const nlohmann::json& value);
// A key as a step of a JSON Pointer, "/" included.
[[nodiscard]] std::string pointer_step(std::string_view key);

// A faulty value is reported and reads as 1 (or null); it never gets out, because finish() throws.
// `path` is the pointer of the first argument; an `object` must be one.
class ValueReader {
 public:
  void report(std::string path, std::string code, std::string message);
  [[nodiscard]] bool clean() const { return issues_.empty(); }
  // Throws InputError if anything was reported.
  void finish();

  // Reports keys other than these.
  void only(const nlohmann::json& object, const std::string& path,
            std::initializer_list<std::string_view> keys);
  const nlohmann::json* member(const nlohmann::json& object, const std::string& path,
                               const char* key);
  // The same, for a member that passes `test`; `allowed` says which do.
  const nlohmann::json* member(const nlohmann::json& object, const std::string& path,
                               const char* key, bool (nlohmann::json::*test)() const noexcept,
                               const char* allowed);
  double number(const nlohmann::json& value, const std::string& path, const ValueRange& range);
  double number(const nlohmann::json& object, const std::string& path, const char* key,
                const ValueRange& range);
  std::int64_t whole(const nlohmann::json& value, const std::string& path, const ValueRange& range);
  std::int64_t whole(const nlohmann::json& object, const std::string& path, const char* key,
                     const ValueRange& range);

 private:
  std::vector<Issue> issues_;
};

}  // namespace nestplan
