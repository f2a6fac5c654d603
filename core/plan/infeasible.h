// Why nothing fits, and the nearest changes that do.
#pragma once

#include "plan/plan.h"
#include "plan/request.h"

namespace nestplan {

// Precondition: the search of `request` ended without a plan. Every change returned was planned.
[[nodiscard]] Infeasible explain_infeasible(const Request& request);

}  // namespace nestplan
