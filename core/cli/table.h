// Columns of text that line up.
#pragma once

#include <string>
#include <vector>

namespace nestplan {

// One line per row, cells two spaces apart, `indent` before the first. Columns whose letter in
// `align` is 'l' are left-aligned, the others right-aligned. No line ends in spaces.
[[nodiscard]] std::string table_text(const std::vector<std::vector<std::string>>& rows,
                                     const std::string& align, const std::string& indent = "  ");

}  // namespace nestplan
