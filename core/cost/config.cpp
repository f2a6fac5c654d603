#include "cost/config.h"

#include <algorithm>
#include <string_view>

namespace nestplan {
namespace {

struct DimName {
  Dim dim;
  std::string_view name;
};
constexpr std::array<DimName, 5> kDimNames{{{Dim::kTensor, "tp"},
                                            {Dim::kContext, "cp"},
                                            {Dim::kExpert, "ep"},
                                            {Dim::kData, "dp"},
                                            {Dim::kPipeline, "pp"}}};

}  // namespace

std::string order_name(const Order& order) {
  std::string text;
  for (const Dim dim : order.dims) {
    if (!text.empty()) text += '-';
    text += kDimNames[static_cast<std::size_t>(dim)].name;
  }
  return text;
}

bool parse_order(const std::string& name, Order& order) {
  constexpr std::size_t kLength = 14;  // five names of two letters, four hyphens
  if (name.size() != kLength) return false;
  Order parsed;
  std::array<bool, 5> seen{};
  for (std::size_t i = 0; i < parsed.dims.size(); ++i) {
    const std::string_view part = std::string_view(name).substr(i * 3, 2);
    if (i > 0 && name[i * 3 - 1] != '-') return false;
    const auto* const found = std::find_if(kDimNames.begin(), kDimNames.end(),
                                           [part](const DimName& d) { return d.name == part; });
    if (found == kDimNames.end() || seen[static_cast<std::size_t>(found->dim)]) return false;
    seen[static_cast<std::size_t>(found->dim)] = true;
    parsed.dims[i] = found->dim;
  }
  order = parsed;
  return true;
}

}  // namespace nestplan
