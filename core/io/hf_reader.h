// Typed access to one object of a config.json: collects faults, remembers which keys were read and
// which key each field of the model came from.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/issue.h"

namespace nestplan {

class HfReader {
 public:
  // `prefix` is the JSON Pointer of `object`. Both arguments must outlive the reader.
  HfReader(const nlohmann::json& object, std::string prefix, std::vector<Issue>& issues)
      : object_(object), prefix_(std::move(prefix)), issues_(issues) {}

  using Keys = std::initializer_list<const char*>;

  // The first of `keys` that is present and not null, as a whole number from `low` to the most
  // accepted. A fault, and 0, if there is none. `field` is the ModelSpec field it is for.
  std::int64_t required(const char* field, Keys keys, std::int64_t low = 1);
  // The same with a default for an absent or null key.
  std::int64_t optional(const char* field, Keys keys, std::int64_t otherwise, std::int64_t low = 1);
  // A flag; absent and null mean `otherwise`.
  bool flag(const char* key, bool otherwise);
  // A list; null when absent or null, a fault when it is something else.
  const nlohmann::json* list(const char* key);
  // A text; empty when absent or null.
  std::string text(const char* key);
  // Present and not null. Does not mark the key as read.
  [[nodiscard]] bool given(const char* key) const;
  [[nodiscard]] bool present(const char* key) const { return object_.contains(key); }

  // `key` is a pointer below this object: "vocab_size", "layer_types/3".
  void fault(std::string_view key, std::string code, std::string message, std::string hint = "");
  // Where a field of the model came from: a JSON Pointer, or `prefix` when it was derived.
  [[nodiscard]] std::string origin(const std::string& field) const;
  [[nodiscard]] const std::set<std::string, std::less<>>& used() const { return used_; }
  [[nodiscard]] const nlohmann::json& object() const { return object_; }

 private:
  // The value of the first key that is present and not null; marks all of them as read.
  const nlohmann::json* find(const char* field, Keys keys, const char*& found);
  std::int64_t whole_number(const nlohmann::json& value, const char* key, std::int64_t low);

  const nlohmann::json& object_;
  std::string prefix_;
  std::vector<Issue>& issues_;
  std::set<std::string, std::less<>> used_;
  std::map<std::string, std::string, std::less<>> origins_;
};

// What was found, for a message: short, and never the inside of a list or object.
[[nodiscard]] std::string describe_json(const nlohmann::json& value);

}  // namespace nestplan
