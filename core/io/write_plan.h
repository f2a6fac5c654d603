// A PlanOutcome as the document that the `plan` verb answers with. Key order is fixed, numbers are
// written as they are, and no total is computed that the core does not have.
#pragma once

#include <nlohmann/json.hpp>

#include "plan/plan.h"
#include "plan/request.h"

namespace nestplan {

// A plan, or {"feasible": false, "reason", "nearest"}; both with the resolved request and the
// counters of the search.
[[nodiscard]] nlohmann::ordered_json write_outcome(const Request& request,
                                                   const PlanOutcome& outcome);

// {"config", "step_s", "tokens_per_s", "mfu", "peak_bytes", "usable_bytes", "days", "cost"}; days
// and cost are null without a token target or price.
[[nodiscard]] nlohmann::ordered_json write_summary(const Cluster& cluster,
                                                   const PlanSummary& summary);

}  // namespace nestplan
