// The public entry of the core.
#pragma once

#include <cstdint>
#include <memory>

#include "plan/plan.h"
#include "plan/request.h"

namespace nestplan {

// Throws InputError when the fields are each in range but do not go together (heads and kv_heads,
// dp and batch, ...). Every public function below calls it first.
void validate(const Request& request);

// The configuration pinned in `request.search.pins`, priced: free degrees default to 1, dp to the
// largest that fits the devices and the batch, stages to the best cut. No search over degrees.
[[nodiscard]] PlanOutcome evaluate(const Request& request);

// Searches to the end. Exact for the cost model.
[[nodiscard]] PlanOutcome plan(const Request& request);

// The same search in slices, so that a caller stays responsive and may stop at any time.
class PlanTask {
 public:
  struct Progress {
    bool done = false;
    bool has_plan = false;
    Seconds best;    // step time of the best plan so far
    Seconds bound;   // no plan is faster than this
    double gap = 1;  // (best - bound) / best
    std::int64_t pops = 0;
  };
  explicit PlanTask(const Request& request);
  ~PlanTask();
  PlanTask(PlanTask&&) noexcept;
  PlanTask& operator=(PlanTask&&) noexcept;

  // At most `pops` node expansions. pops >= 1.
  Progress step(std::int64_t pops);
  // The best so far; complete once `step` said done, otherwise marked with its gap.
  [[nodiscard]] PlanOutcome result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nestplan
