// Search time of NEST instances: a synthetic one that is always here, and, when NESTPLAN_SHARED
// names the folder that holds nest/, every published one (targets: 5 ms each, 100 ms together).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/nest_instance.h"

namespace {

using nestplan::NestInstance;

// `layers` unequal layers in a chain on 1,024 devices, as large as the artifact's largest instance
// at 97 layers; memory leaves room for about eight layers, so that pipelines are deep.
NestInstance chain(std::int64_t layers) {
  NestInstance instance;
  instance.levels = {{8, 900e6, 1e-4}, {4, 100e6, 2e-4}, {32, 400e6, 3e-4}};
  instance.devices = 1024;
  instance.micro_batches = 4096;
  instance.memory = 64e9;
  instance.recompute = true;
  for (const std::int64_t tp : {1, 2, 4, 8}) {
    nestplan::NestGraph graph;
    graph.tp = tp;
    const double share = 1.0 / static_cast<double>(tp);
    for (std::int64_t i = 0; i < layers; ++i) {
      const double size = 1 + 0.1 * static_cast<double>(i * 7 % 5);
      graph.layers.push_back({9 * size * share, 18 * size * share, 3e9 * size * share, 1e9});
      if (i > 0) graph.edges.push_back({i - 1, i, 5e7});
    }
    instance.graphs.push_back(graph);
  }
  return instance;
}

void nest_chain(benchmark::State& state) {
  const NestInstance instance = chain(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(nestplan::solve_nest(instance));
}
BENCHMARK(nest_chain)->Arg(25)->Arg(97)->Arg(385)->Unit(benchmark::kMillisecond);

std::vector<NestInstance> published() {
  std::vector<NestInstance> instances;
  const char* shared = std::getenv("NESTPLAN_SHARED");
  if (shared == nullptr) return instances;
  for (const char* folder : {"instances", "instances_ms", "random"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(shared) / "nest" / folder)) {
      if (entry.path().extension() != ".json" || entry.path().stem() == "answers") continue;
      std::ifstream file(entry.path());
      instances.push_back(nestplan::parse_nest(
          std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>())));
    }
  return instances;
}

void nest_all_published(benchmark::State& state) {
  const std::vector<NestInstance> instances = published();
  if (instances.empty()) {
    state.SkipWithError("NOT RUN: set NESTPLAN_SHARED to the folder that holds nest/");
    return;
  }
  for (auto _ : state)
    for (const NestInstance& instance : instances)
      benchmark::DoNotOptimize(nestplan::solve_nest(instance));
  state.counters["instances"] = static_cast<double>(instances.size());
}
BENCHMARK(nest_all_published)->Unit(benchmark::kMillisecond);

}  // namespace
