// Which degrees of parallelism are legal for a request, each with the reason why not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/request.h"

namespace nestplan {

struct DegreeValue {
  std::int64_t value = 0;
  std::string reason;  // empty: legal
};
struct Degree {
  std::string name;  // as in pins: "tp", "cp", ...
  std::vector<DegreeValue> values;
};

// For tp, cp, ep, etp, dp, pp, vpp, mbs and zero: every legal value within reach, and the values a
// person is likely to try. A value here is legal by itself; a combination must also multiply to the
// devices and divide the batch.
[[nodiscard]] std::vector<Degree> legal_degrees(const Request& request);

}  // namespace nestplan
