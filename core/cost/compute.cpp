#include "cost/compute.h"

#include <algorithm>
#include <array>

#include "base/math.h"

namespace nestplan {
namespace {

struct Tile {
  double rows, columns, penalty;
};
constexpr std::array<Tile, 5> kTiles{
    {{128, 256, 1}, {256, 128, 1}, {128, 128, 1.06}, {64, 256, 1.12}, {128, 64, 1.2}}};
constexpr double kWaveExponent = 0.65;
constexpr double kWaveLimit = 8;
constexpr double kGroupedEfficiency = 0.92;
constexpr double kHeadDimExponent = 0.15;
constexpr double kBackwardAttention = 2.5;

double ceil_of(double x) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole < x ? whole + 1 : whole;
}

Seconds product_time(const Accelerator& accelerator, const Stack& stack, const MatmulShape& shape,
                     double rows, double columns, double bytes) {
  const double efficiency =
      accelerator.matmul_efficiency * (shape.groups > 1 ? kGroupedEfficiency : 1);
  const double wave = wave_quantisation(accelerator, rows, columns, shape.groups);
  const Flops work(2 * shape.rows * shape.columns * shape.inner * wave);
  return work / (accelerator.compute * efficiency) +
         stack.matmul_traffic_exposed * memory_time(accelerator, bytes) + stack.kernel_launch;
}

}  // namespace

double wave_quantisation(const Accelerator& accelerator, double rows, double columns,
                         double groups) {
  if (accelerator.cores == 0) return 1;
  const auto cores = static_cast<double>(accelerator.cores);
  double least = kWaveLimit;
  for (const Tile& tile : kTiles) {
    const double tiles = groups * ceil_of(rows / tile.rows) * ceil_of(columns / tile.columns);
    const double area = ceil_of(tiles / cores) * cores * tile.rows * tile.columns;
    least = std::min(least, area * tile.penalty / (groups * rows * columns));
  }
  return pow_of(least, kWaveExponent);
}

Seconds memory_time(const Accelerator& accelerator, double bytes) {
  return Bytes(bytes) / (accelerator.memory_bandwidth * accelerator.memory_efficiency);
}

ForwardBackward matmul_time(const Accelerator& accelerator, const Stack& stack,
                            const MatmulShape& shape) {
  const double r = shape.rows;
  const double n = shape.columns;
  const double k = shape.inner;
  const double weights = shape.groups * k * n;
  const double group_rows = r / shape.groups;
  ForwardBackward time;
  time.forward =
      product_time(accelerator, stack, shape, group_rows, n, 2 * (r * k + weights) + 2 * r * n);
  time.backward =
      product_time(accelerator, stack, shape, group_rows, k, 2 * (r * n + weights) + 2 * r * k);
  time.backward += product_time(accelerator, stack, shape, n, k, 2 * (r * n + r * k) + 8 * weights);
  return time;
}

ForwardBackward attention_time(const Accelerator& accelerator, double tokens, double context,
                               double heads, double qk_dim, double v_dim, bool causal) {
  const double masked = causal ? 0.5 : 1;
  const double dim = std::min(1.0, std::max(qk_dim, v_dim) / 128);
  const Flops work(2 * tokens * context * masked * heads * (qk_dim + v_dim));
  const Seconds forward = work / (accelerator.compute * accelerator.attention_efficiency *
                                  pow_of(dim, kHeadDimExponent));
  return {forward, forward * kBackwardAttention};
}

}  // namespace nestplan
