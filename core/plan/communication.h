// The communication table of a plan: what crosses which level, in which form, for how long.
#pragma once

#include <vector>

#include "plan/plan.h"
#include "search/stage_solver.h"

namespace nestplan {

// One row for each kind that the configuration uses, on the stage where it takes longest. Times are
// of a step: `exposed` adds to the step, `hidden` runs behind compute.
[[nodiscard]] std::vector<Communication> communication_table(const StageContext& context,
                                                             const ChainCounts& chain,
                                                             const std::vector<StageCut>& stages);

}  // namespace nestplan
