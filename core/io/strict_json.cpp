#include "io/strict_json.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/issue.h"
#include "io/value_reader.h"

namespace nestplan {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 8'000'000;
constexpr std::size_t kMostDepth = 64;
constexpr std::size_t kMostDuplicates = 100;

// Called by nlohmann's SAX parser; builds the value. Looks keys up in a hash set because
// ordered_json searches linearly.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

  bool null() { return add(nullptr) != nullptr; }
  bool boolean(bool value) { return add(value) != nullptr; }
  bool number_integer(ordered_json::number_integer_t value) { return add(value) != nullptr; }
  bool number_unsigned(ordered_json::number_unsigned_t value) { return add(value) != nullptr; }
  bool number_float(ordered_json::number_float_t value, const std::string&) {
    return add(value) != nullptr;
  }
  bool string(std::string& value) { return add(std::move(value)) != nullptr; }
  bool binary(ordered_json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(ordered_json::object()); }
  bool start_array(std::size_t) { return open(ordered_json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    Open& here = open_.back();
    if (!here.keys.insert(name).second && issues_.size() < kMostDuplicates) {
      issues_.push_back({path() + pointer_step(name), "duplicate-key",
                         "the key is here twice; allowed: once", ""});
    }
    here.key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const ordered_json::exception& error) {
    const std::size_t end = position == 0 ? 0 : std::min(position - 1, text_.size());
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i < end; ++i) {
      column = text_[i] == '\n' ? 1 : column + 1;
      if (text_[i] == '\n') ++line;
    }
    const std::string where =
        " at line " + std::to_string(line) + ", column " + std::to_string(column);
    const bool overflow = error.id == 406;  // nlohmann's number for it
    fail("bad-json", overflow ? "found a number beyond 1.8e308" + where : "not JSON" + where);
    return false;
  }
  [[nodiscard]] ordered_json take() {
    if (!issues_.empty()) throw InputError(std::move(issues_));
    return std::move(root_);
  }

 private:
  struct Open {
    ordered_json* value;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  ordered_json* add(ordered_json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Open& here = open_.back();
    if (here.value->is_array()) {
      here.value->push_back(std::move(value));
      return &here.value->back();
    }
    auto& members = here.value->get_ref<ordered_json::object_t&>();
    using Members = ordered_json::object_t::Container;
    static_cast<Members&>(members).emplace_back(here.key, std::move(value));
    return &static_cast<Members&>(members).back().second;
  }
  bool open(ordered_json value) {
    if (open_.size() == kMostDepth) {
      fail("too-large", "nested more than 64 deep; allowed: 64");
      return false;
    }
    open_.push_back({add(std::move(value)), "", {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  void fail(const char* code, std::string message) {
    issues_.push_back({"", code, std::move(message), ""});
  }
  [[nodiscard]] std::string path() const {
    std::string all;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const ordered_json& value = *open_[i].value;
      all += value.is_array() ? "/" + std::to_string(value.size() - 1) : pointer_step(open_[i].key);
    }
    return all;
  }

  std::string_view text_;
  ordered_json root_;
  std::vector<Open> open_;
  std::vector<Issue> issues_;
};

}  // namespace

ordered_json parse_strict_json(std::string_view text) {
  if (text.size() > kMostBytes) {
    throw InputError(
        {Issue{"", "too-large",
               "found " + std::to_string(text.size()) + " bytes of text; allowed: 8000000", ""}});
  }
  Builder builder(text);
  static_cast<void>(ordered_json::sax_parse(text, &builder));
  return builder.take();
}

}  // namespace nestplan
