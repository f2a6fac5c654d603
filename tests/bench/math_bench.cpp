#include <benchmark/benchmark.h>

#include "base/math.h"

namespace {

void log2_of(benchmark::State& state) {
  double x = 1.1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(x);
    benchmark::DoNotOptimize(nestplan::log2_of(x));
  }
}
BENCHMARK(log2_of);

void pow_of(benchmark::State& state) {
  double x = 1.1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(x);
    benchmark::DoNotOptimize(nestplan::pow_of(x, 0.7));
  }
}
BENCHMARK(pow_of);

}  // namespace
