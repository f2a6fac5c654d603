#include "io/value_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nestplan {

using nlohmann::json;

json parse_json(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw InputError({Issue{"", "json-syntax",
                            "not JSON: the fault is at byte " + std::to_string(error.byte), ""}});
  } catch (const json::exception&) {
    throw InputError({Issue{"", "json-syntax", "not JSON: a number is too large", ""}});
  }
}

std::string found_value(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > 40) {
    text = value.type_name();
    if (value.is_structured()) text += " of " + std::to_string(value.size()) + " entries";
  }
  return "found " + text;
}

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

void ValueReader::report(std::string path, std::string code, std::string message) {
  issues_.push_back(Issue{std::move(path), std::move(code), std::move(message), ""});
}

void ValueReader::finish() {
  if (!issues_.empty()) throw InputError(std::move(issues_));
}

void ValueReader::only(const json& object, const std::string& path,
                       std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : object.items())
    if (std::find(keys.begin(), keys.end(), std::string_view(key)) == keys.end())
      report(path + pointer_step(key), "unknown-key", "the key is unknown");
}

const json* ValueReader::member(const json& object, const std::string& path, const char* key) {
  const auto it = object.find(key);
  if (it != object.end()) return &*it;
  report(path + pointer_step(key), "missing-key", "the key is missing; it must be here");
  return nullptr;
}

const json* ValueReader::member(const json& object, const std::string& path, const char* key,
                                bool (json::*test)() const noexcept, const char* allowed) {
  const json* value = member(object, path, key);
  if (value == nullptr || (value->*test)()) return value;
  report(path + pointer_step(key), "wrong-type", found_value(*value) + "; allowed: " + allowed);
  return nullptr;
}

double ValueReader::number(const json& value, const std::string& path, const ValueRange& range) {
  const std::string message = found_value(value) + "; allowed: " + range.text;
  if (!value.is_number()) {
    report(path, "wrong-type", message);
    return 1;
  }
  const double read = value.get<double>();
  if (read >= range.least && read <= range.most) return read;
  report(path, "out-of-range", message);
  return 1;
}

double ValueReader::number(const json& object, const std::string& path, const char* key,
                           const ValueRange& range) {
  const json* value = member(object, path, key);
  return value == nullptr ? 1 : number(*value, path + pointer_step(key), range);
}

std::int64_t ValueReader::whole(const json& value, const std::string& path,
                                const ValueRange& range) {
  const double read = number(value, path, range);
  if (read == std::floor(read)) return static_cast<std::int64_t>(read);
  report(path, "out-of-range", found_value(value) + "; allowed: " + range.text);
  return 1;
}

std::int64_t ValueReader::whole(const json& object, const std::string& path, const char* key,
                                const ValueRange& range) {
  const json* value = member(object, path, key);
  return value == nullptr ? 1 : whole(*value, path + pointer_step(key), range);
}

}  // namespace nestplan
