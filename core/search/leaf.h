// A leaf of the search: one configuration, with its best split and stage options.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/stage_cost.h"
#include "search/space.h"
#include "search/stage_solver.h"

namespace nestplan {

struct Solution {
  Config config;
  Seconds step;
  Bytes peak;  // of the fullest stage
  std::vector<StageCut> stages;
};

// Ties break by (step, peak, key): key is the configuration's fields in the order mbs, tp, sp, cp,
// ep, etp, dp, pp, vpp, order, then the options of the stages. A total order on distinct plans.
[[nodiscard]] bool better(const Solution& a, const Solution& b);

// Block counts the stack, the schedule or the caller allow in each slot. Several for the
// interleaved schedule: chunks differ by at most one block, the first and the last may be two
// shorter, and every base size that can add up is one entry.
[[nodiscard]] std::vector<std::vector<BlockRange>> block_ranges(const Job& job,
                                                                const Config& config,
                                                                const FixedDegrees& fixed);

// Blocks of every chunk, by stage, for stage totals that `block_ranges` allowed.
[[nodiscard]] std::vector<std::vector<std::int64_t>> split_chunks(
    const Config& config, const std::vector<std::int64_t>& stage_blocks);

// The option sets a leaf is solved under: one set of all for a stack with per-stage options, else
// one set for each option.
[[nodiscard]] std::vector<std::vector<StageOption>> option_sets(const Job& job,
                                                                const Config& config,
                                                                const FixedDegrees& fixed);

struct LeafInput {
  const Job* job = nullptr;
  const ChainCounts* chain = nullptr;
  const FixedDegrees* fixed = nullptr;
};

// The best plan of `config` that is not slower than `limit`, or nothing.
[[nodiscard]] std::optional<Solution> solve_leaf(const LeafInput& input, const Config& config,
                                                 const std::vector<LayerCost>& layers,
                                                 Seconds limit);

}  // namespace nestplan
