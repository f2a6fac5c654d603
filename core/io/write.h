// A planner's outcome as the document of the `plan` and `evaluate` verbs. Keys come in a fixed
// order; every total is computed here from its parts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "plan/plan.h"
#include "plan/request.h"

namespace nestplan {

// A plan ("feasible": true), or the reason why none fits and the nearest changes ("feasible":
// false; a search stopped before it found a plan says "cancelled": true besides).
[[nodiscard]] nlohmann::ordered_json write_outcome(const Request& request,
                                                   const PlanOutcome& outcome);

// {"config", "step_s", "tokens_per_s", "mfu", "peak_bytes", "usable_bytes", "days", "cost"}; `days`
// and `cost` are null where they are not known. `devices`: those there are, used or idle.
[[nodiscard]] nlohmann::ordered_json write_summary(const PlanSummary& summary,
                                                   std::int64_t devices);

}  // namespace nestplan
