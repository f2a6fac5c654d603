// The work of whole searches, in counters that no machine changes. The limits are 1.25 times what
// the search needed when they were set: a change that needs more must say why.
#include <gtest/gtest.h>

#include "search_requests.h"

namespace nestplan {
namespace {

struct Limit {
  std::int64_t leaves;
  std::int64_t heap;
};

TEST(SearchCounters, StayWithinTheirLimits) {
  const Presets presets{std::string_view(embedded_presets())};
  const std::vector<Limit> limits{{354, 662},   {229, 2000},  {223, 1980}, {670, 30912},
                                  {799, 34363}, {593, 66173}, {324, 609}};
  ASSERT_EQ(limits.size(), search_cases().size());
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const SearchCase& c = search_cases()[i];
    const SearchStatus status = searched(request_of(c, presets));
    std::cout << c.model << " on " << c.devices << ": " << status.leaves_priced
              << " leaves priced, " << status.nodes_made << " nodes, heap " << status.heap_peak
              << "\n";
    EXPECT_LE(status.leaves_priced, limits[i].leaves) << c.model << " on " << c.devices;
    EXPECT_LE(status.heap_peak, limits[i].heap) << c.model << " on " << c.devices;
  }
}

}  // namespace
}  // namespace nestplan
