// From a request to what the cost model and the search take, and the faults that only show when its
// parts are put together.
#pragma once

#include <vector>

#include "base/issue.h"
#include "cost/job.h"
#include "plan/request.h"
#include "search/space.h"

namespace nestplan {

[[nodiscard]] Job make_job(const Request& request);
[[nodiscard]] FixedDegrees fixed_degrees(const Request& request);
// Pins that are illegal for this model, batch, cluster or stack, each with its reason; a global
// batch or sequence out of the model's reach.
[[nodiscard]] std::vector<Issue> request_faults(const Request& request);

}  // namespace nestplan
