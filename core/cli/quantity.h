// Numbers for people: three significant digits, GB = 1e9 bytes, thousands apart.
#pragma once

#include <cstdint>
#include <string>

namespace nestplan {

[[nodiscard]] std::string count_text(std::int64_t value);          // 16,384
[[nodiscard]] std::string significant_text(double value);          // 8.68; 966,000; 0.0123
[[nodiscard]] std::string fixed_text(double value, int decimals);  // 1,234.50
[[nodiscard]] std::string seconds_text(double value);              // 8.68 s; 12.3 ms
[[nodiscard]] std::string gigabytes_text(double bytes);            // 79.6; no unit
[[nodiscard]] std::string percent_text(double fraction);           // 45.9 %
[[nodiscard]] std::string tokens_text(double value);               // 15.0 T
[[nodiscard]] std::string dollars_text(double value);              // $11.0 M

}  // namespace nestplan
