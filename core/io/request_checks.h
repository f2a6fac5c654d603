// Faults of a request that no single field shows: levels that do not fit together, more devices
// than they hold. (Those of a model: model/validate.h.)
#pragma once

#include "io/field_values.h"
#include "plan/request.h"

namespace nestplan {

// Preconditions: every field is within its bounds.
void check_cluster(const Cluster& cluster, IssueList& issues);
// The sequence length against a learned position table.
void check_training(const Request& request, IssueList& issues);

}  // namespace nestplan
