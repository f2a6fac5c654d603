// From a solution of the search to the itemised plan a person reads.
#pragma once

#include "cost/job.h"
#include "plan/plan.h"
#include "search/leaf.h"

namespace nestplan {

[[nodiscard]] PlanSummary summarise(const Job& job, const Solution& solution);
[[nodiscard]] Plan explain(const Job& job, const Solution& solution);

}  // namespace nestplan
