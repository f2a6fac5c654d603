// Whole searches, proved: time and the counters that do not depend on the machine.
#include <benchmark/benchmark.h>

#include "../published/search_requests.h"

namespace {

using namespace nestplan;

void search(benchmark::State& state) {
  const Presets presets{std::string_view(embedded_presets())};
  const SearchCase& c = search_cases()[static_cast<std::size_t>(state.range(0))];
  const Request request = request_of(c, presets);
  SearchStatus status;
  for (auto _ : state) status = searched(request);
  state.SetLabel(std::string(c.model) + " on " + std::to_string(c.devices));
  state.counters["leaves"] = static_cast<double>(status.leaves_priced);
  state.counters["nodes"] = static_cast<double>(status.nodes_made);
  state.counters["heap"] = static_cast<double>(status.heap_peak);
}
BENCHMARK(search)->DenseRange(0, 6)->Unit(benchmark::kMillisecond);

}  // namespace
