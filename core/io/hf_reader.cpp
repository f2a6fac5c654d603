#include "io/hf_reader.h"

#include <utility>

namespace nestplan {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;  // any count of a model stays far below
constexpr std::size_t kLongest = 60;           // characters of a found value in a message

}  // namespace

std::string describe_json(const nlohmann::json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    if (text.size() > kLongest) return "a text of " + std::to_string(text.size()) + " bytes";
    return "\"" + text + "\"";
  }
  return value.dump();
}

bool HfReader::given(const char* key) const {
  const auto it = object_.find(key);
  return it != object_.end() && !it->is_null();
}

void HfReader::fault(std::string_view key, std::string code, std::string message,
                     std::string hint) {
  issues_.push_back(
      {prefix_ + "/" + std::string(key), std::move(code), std::move(message), std::move(hint)});
}

std::string HfReader::origin(const std::string& field) const {
  const auto it = origins_.find(field);
  return it == origins_.end() ? prefix_ : it->second;
}

const nlohmann::json* HfReader::find(const char* field, Keys keys, const char*& found) {
  const nlohmann::json* value = nullptr;
  for (const char* key : keys) {
    const auto it = object_.find(key);
    if (it == object_.end()) continue;
    used_.insert(key);
    if (value != nullptr || it->is_null()) continue;
    value = &*it;
    found = key;
    origins_[field] = prefix_ + "/" + key;
  }
  return value;
}

std::int64_t HfReader::whole_number(const nlohmann::json& value, const char* key,
                                    std::int64_t low) {
  const std::string allowed =
      "a whole number from " + std::to_string(low) + " to " + std::to_string(kMost);
  if (!value.is_number_integer()) {
    fault(key, "wrong-type", "found " + describe_json(value) + "; expected " + allowed);
    return 0;
  }
  const bool beyond =
      value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMost);
  if (beyond || value.get<std::int64_t>() > kMost || value.get<std::int64_t>() < low) {
    fault(key, "out-of-range", "found " + describe_json(value) + "; allowed: " + allowed);
    return 0;
  }
  return value.get<std::int64_t>();
}

std::int64_t HfReader::required(const char* field, Keys keys, std::int64_t low) {
  const char* found = *keys.begin();
  const nlohmann::json* value = find(field, keys, found);
  if (value != nullptr) return whole_number(*value, found, low);
  std::string names;
  for (const char* key : keys) names += (names.empty() ? "" : " or ") + std::string(key);
  fault(found, "missing", "this architecture needs " + names);
  return 0;
}

std::int64_t HfReader::optional(const char* field, Keys keys, std::int64_t otherwise,
                                std::int64_t low) {
  const char* found = *keys.begin();
  const nlohmann::json* value = find(field, keys, found);
  return value == nullptr ? otherwise : whole_number(*value, found, low);
}

bool HfReader::flag(const char* key, bool otherwise) {
  const char* found = key;
  const nlohmann::json* value = find(key, {key}, found);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  fault(key, "wrong-type", "found " + describe_json(*value) + "; expected true or false");
  return otherwise;
}

const nlohmann::json* HfReader::list(const char* key) {
  const char* found = key;
  const nlohmann::json* value = find(key, {key}, found);
  if (value == nullptr || value->is_array()) return value;
  fault(key, "wrong-type", "found " + describe_json(*value) + "; expected a list");
  return nullptr;
}

std::string HfReader::text(const char* key) {
  const char* found = key;
  const nlohmann::json* value = find(key, {key}, found);
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  fault(key, "wrong-type", "found " + describe_json(*value) + "; expected a text");
  return "";
}

}  // namespace nestplan
