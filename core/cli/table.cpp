#include "cli/table.h"

#include <algorithm>
#include <cstddef>

namespace nestplan {
namespace {

// Characters, not bytes of UTF-8.
std::size_t width(const std::string& text) {
  constexpr int kTopBits = 0xC0;
  constexpr int kContinuation = 0x80;
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<int>(c) & kTopBits) != kContinuation;
  }));
}

std::string padded(const std::string& cell, std::size_t to, bool left) {
  const std::string space(to - std::min(to, width(cell)), ' ');
  return left ? cell + space : space + cell;
}

}  // namespace

std::string table_text(const std::vector<std::vector<std::string>>& rows, const std::string& align,
                       const std::string& indent) {
  std::vector<std::size_t> widths(align.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += padded(row[i], widths[i], align[i] == 'l');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace nestplan
