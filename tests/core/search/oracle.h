// Exhaustive search over everything the planner may choose, written apart from it: it shares the
// price of one stage and the legality rules, not the enumeration, the bounds or the solver.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "cost/stage_cost.h"
#include "search/search.h"
#include "search/space.h"

namespace nestplan::oracle {

struct Best {
  double step = 0;  // 0: nothing fits
  std::int64_t plans = 0;
};

// A small random job: at most four blocks (of up to three kinds), eight devices, three levels.
Job random_job(std::mt19937& random);

// Calls `visit` with every legal configuration and its micro-batch count.
void for_each_config(const Job& job, const std::function<void(const Config&)>& visit);

// The best step over all cuts and options of one configuration.
void price_config(const Job& job, const Config& config, Best& best);

Best exhaustive(const Job& job);

}  // namespace nestplan::oracle
