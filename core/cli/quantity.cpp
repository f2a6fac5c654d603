#include "cli/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace nestplan {
namespace {

std::string printed(const char* format, int digits, double value) {
  std::array<char, 400> text{};
  const int length = std::snprintf(text.data(), text.size(), format, digits, value);
  return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, 399))};
}

std::string grouped(std::string digits) {
  const std::size_t first = digits.find_first_of("0123456789");
  std::size_t at = std::min(digits.find('.'), digits.size());
  constexpr std::size_t kGroup = 3;
  while (at > first + kGroup) {
    at -= kGroup;
    digits.insert(at, ",");
  }
  return digits;
}

struct Unit {
  double size;
  std::string_view suffix;
};

// With the largest unit that is not larger than the value.
template <std::size_t count>
std::string scaled(double value, const std::array<Unit, count>& units) {
  const Unit* chosen = units.data();
  constexpr double kRounding = 0.9995;  // 999.6 ms is 1.00 s
  for (const Unit& unit : units)
    if (std::abs(value) >= unit.size * kRounding) chosen = &unit;
  std::string text = significant_text(value / chosen->size);
  if (!chosen->suffix.empty()) text += ' ';
  return text += chosen->suffix;
}

}  // namespace

std::string count_text(std::int64_t value) { return grouped(std::to_string(value)); }

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  return grouped(printed("%.*f", decimals, value));
}

std::string significant_text(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const std::string rounded = printed("%.*e", 2, value);  // d.dde[+-]xx
  const int exponent = std::atoi(rounded.c_str() + rounded.find('e') + 1);
  return fixed_text(std::strtod(rounded.c_str(), nullptr), std::clamp(2 - exponent, 0, 12));
}

std::string seconds_text(double value) {
  constexpr std::array kUnits{Unit{1e-6, "us"}, Unit{1e-3, "ms"}, Unit{1, "s"}};
  return value == 0 ? "0 s" : scaled(value, kUnits);
}

std::string gigabytes_text(double bytes) { return significant_text(bytes / 1e9); }

std::string percent_text(double fraction) {
  constexpr double kLeast = 0.0005;  // shown as 0.1 %
  if (fraction > 0 && fraction < kLeast) return "<0.1 %";
  return fixed_text(fraction * 100, 1) + " %";
}

std::string tokens_text(double value) {
  constexpr std::array kUnits{Unit{1, ""}, Unit{1e3, "k"}, Unit{1e6, "M"}, Unit{1e9, "B"},
                              Unit{1e12, "T"}};
  return scaled(value, kUnits);
}

std::string dollars_text(double value) {
  constexpr std::array kUnits{Unit{1, ""}, Unit{1e3, "k"}, Unit{1e6, "M"}, Unit{1e9, "B"}};
  return "$" + scaled(value, kUnits);
}

}  // namespace nestplan
