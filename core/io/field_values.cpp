#include "io/field_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/config.h"
#include "io/parse_text.h"

namespace nestplan {
namespace {

constexpr std::size_t kMostIssues = 1000;

void wrong_type(const ValueAt& at, const std::string& allowed, std::string hint = "") {
  at.issues.add(at.path, "wrong-type", found_text(at.value) + "; allowed: " + allowed,
                std::move(hint));
}

// A number in a text is the likeliest wrong type.
std::string unquote_hint(const ValueAt& at) {
  if (!at.value.is_string()) return "";
  const auto& text = at.value.get_ref<const std::string&>();
  const bool digits = !text.empty() && text.size() < 20 &&
                      text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  return digits ? "write " + text + " without quotes" : "";
}

std::string nearest_hint(const FieldInfo& info, double value) {
  return "nearest allowed value: " + number_text(std::clamp(value, info.range[0], info.range[1]));
}

// The number within its row's range, whatever its JSON type.
std::optional<double> in_range(const ValueAt& at, const char* kind) {
  const std::string allowed = range_text(at.info, kind);
  if (!at.value.is_number()) {
    wrong_type(at, allowed, unquote_hint(at));
    return {};
  }
  const double value = at.value.get<double>();
  if (value >= at.info.range[0] && value <= at.info.range[1]) return value;
  at.issues.add(at.path, "out-of-range", found_text(at.value) + "; allowed: " + allowed,
                nearest_hint(at.info, value));
  return {};
}

// Calls `read` with every entry; empty if one of them is.
template <class T, class Read>
std::optional<std::vector<T>> read_entries(const ValueAt& at, const Read& read) {
  if (!check_array(at)) return {};
  std::vector<T> all;
  for (std::size_t i = 0; i < at.value.size(); ++i) {
    const std::string path = at.path + "/" + std::to_string(i);
    std::optional<T> entry = read(ValueAt{at.info, at.value[i], path, at.issues});
    if (entry) all.push_back(std::move(*entry));
  }
  if (all.size() != at.value.size()) return {};
  return all;
}

}  // namespace

void IssueList::add(std::string path, std::string code, std::string message, std::string hint) {
  if (issues_.size() > kMostIssues) return;
  if (issues_.size() == kMostIssues) {
    issues_.push_back({"", "too-many-faults", "more than 1000 faults; the rest is not listed", ""});
    return;
  }
  issues_.push_back({std::move(path), std::move(code), std::move(message), std::move(hint)});
}

bool IssueList::any_below(std::string_view path) const {
  if (issues_.size() > kMostIssues) return true;  // it may be among those not listed
  return std::any_of(issues_.begin(), issues_.end(), [&](const Issue& issue) {
    const std::string_view at = issue.path;
    return at.substr(0, path.size()) == path &&
           (at.size() == path.size() || at[path.size()] == '/');
  });
}

void IssueList::finish() {
  if (!issues_.empty()) throw InputError(std::move(issues_));
}

std::optional<double> read_number(const ValueAt& at) { return in_range(at, "a number"); }

std::optional<std::int64_t> read_whole(const ValueAt& at) {
  const std::optional<double> value = in_range(at, "a whole number");
  if (!value) return {};
  if (*value == std::floor(*value)) return static_cast<std::int64_t>(*value);
  at.issues.add(at.path, "not-an-integer",
                found_text(at.value) + "; allowed: " + range_text(at.info, "a whole number"),
                nearest_hint(at.info, std::floor(*value + 0.5)));
  return {};
}

std::optional<bool> read_flag(const ValueAt& at) {
  if (at.value.is_boolean()) return at.value.get<bool>();
  wrong_type(at, "true or false");
  return {};
}

std::optional<std::string> read_text(const ValueAt& at) {
  if (!at.value.is_string()) {
    wrong_type(at, at.info.is_order ? "a text such as \"tp-cp-ep-dp-pp\"" : "a text");
    return {};
  }
  const auto& text = at.value.get_ref<const std::string&>();
  if (at.info.is_order) {
    Order order;
    if (parse_order(text, order)) return text;
    at.issues.add(at.path, "out-of-range",
                  found_text(at.value) +
                      "; allowed: tp, cp, ep, dp and pp in an order that the "
                      "planner knows, joined by hyphens, innermost first",
                  "write \"tp-cp-ep-dp-pp\"");
    return {};
  }
  const auto length = static_cast<double>(text.size());
  if (length >= at.info.range[0] && length <= at.info.range[1]) return text;
  at.issues.add(at.path, "out-of-range",
                found_text(at.value) + ", " + std::to_string(text.size()) +
                    " bytes long; allowed: " + range_text(at.info, "a text") + " bytes long");
  return {};
}

std::optional<int> read_choice(const ValueAt& at) {
  const std::string allowed = "one of " + list_text(at.info.choices);
  if (!at.value.is_string()) {
    wrong_type(at, allowed);
    return {};
  }
  const auto& text = at.value.get_ref<const std::string&>();
  const auto& choices = at.info.choices;
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  at.issues.add(at.path, "out-of-range", found_text(at.value) + "; allowed: " + allowed,
                meant_text(text, {choices.begin(), choices.end()}));
  return {};
}

bool check_array(const ValueAt& at) {
  const std::string allowed = "an array of " + number_text(at.info.entries[0]) + " to " +
                              number_text(at.info.entries[1]) + " entries";
  if (!at.value.is_array()) {
    wrong_type(at, allowed);
    return false;
  }
  const auto entries = static_cast<double>(at.value.size());
  if (entries >= at.info.entries[0] && entries <= at.info.entries[1]) return true;
  at.issues.add(at.path, "out-of-range", found_text(at.value) + "; allowed: " + allowed);
  return false;
}

std::optional<std::vector<std::int64_t>> read_wholes(const ValueAt& at) {
  return read_entries<std::int64_t>(at, read_whole);
}

std::optional<std::vector<std::string>> read_texts(const ValueAt& at) {
  return read_entries<std::string>(at, read_text);
}

}  // namespace nestplan
