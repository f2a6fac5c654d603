#include "io/parse_text.h"

#include <algorithm>
#include <cmath>

namespace nestplan {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLongestShown = 40;
constexpr std::size_t kLongestCompared = 64;

// Insertions, deletions and changes of one byte that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

// Cut where a UTF-8 character begins.
std::string shortened(std::string text) {
  if (text.size() <= kLongestShown) return text;
  std::size_t end = kLongestShown;
  while (end > 0 && (text[end] & '\xC0') == '\x80') --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string number_text(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value)) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  return ordered_json(value).dump();
}

std::string found_text(const ordered_json& value) {
  const std::string entries = std::to_string(value.size());
  if (value.is_array()) return "found an array of " + entries + " entries";
  if (value.is_object()) return "found an object of " + entries + " keys";
  if (value.is_number_float()) return "found " + number_text(value.get<double>());
  return "found " + shortened(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

std::string range_text(const FieldInfo& info, std::string_view kind) {
  std::string text = std::string(kind) + " from " + number_text(info.range[0]) + " to " +
                     number_text(info.range[1]);
  if (!info.unit.empty()) text += " " + std::string(info.unit);
  return text;
}

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names) {
  if (wrong.size() > kLongestCompared) return "";
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : names) {
    const bool within = wrong.size() > 3 && name.find(wrong) != std::string::npos;
    const std::size_t distance =
        std::min(edit_distance(wrong, name), within ? std::size_t{2} : name.size());
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string meant_text(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(wrong, names);
  return nearest.empty() ? "" : "did you mean \"" + nearest + "\"?";
}

std::string list_text(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    text += (text.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  }
  return text;
}

}  // namespace nestplan
