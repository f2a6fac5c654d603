#include "plan/planner.h"

#include <limits>
#include <utility>

#include "base/issue.h"
#include "plan/explain.h"
#include "plan/infeasible.h"
#include "plan/job.h"
#include "search/search.h"

namespace nestplan {
namespace {

constexpr std::int64_t kAllPops = std::numeric_limits<std::int64_t>::max();

// The pins of `evaluate`: free degrees become 1; of the free dp and ZeRO the search takes the best.
Request pinned(Request request) {
  Pins& pins = request.search.pins;
  if (!pins.stage_layers) pins.pp = pins.pp.value_or(1);
  pins.tp = pins.tp.value_or(1);
  pins.cp = pins.cp.value_or(1);
  pins.ep = pins.ep.value_or(1);
  pins.etp = pins.etp.value_or(1);
  pins.vpp = pins.vpp.value_or(1);
  pins.mbs = pins.mbs.value_or(1);
  if (!pins.order && !request.stack.orders.empty()) pins.order = request.stack.orders.front();
  const Job job = make_job(request);
  if (!pins.dp) {
    const FixedDegrees fixed = fixed_degrees(request);
    Config config;
    config.mbs = *pins.mbs;
    config.tp = *pins.tp;
    config.cp = *pins.cp;
    config.ep = *pins.ep;
    config.etp = *pins.etp;
    config.pp = fixed.pp.value_or(1);
    for (const std::int64_t dp : data_sizes(job, config, fixed)) {
      config.dp = dp;
      if (config_fault(job, config).empty()) pins.dp = dp;
    }
  }
  return request;
}

}  // namespace

void validate(const Request& request) {
  std::vector<Issue> issues = request_faults(request);
  if (!issues.empty()) throw InputError(std::move(issues));
}

struct PlanTask::State {
  Request request;
  Job job;
  Search search;

  explicit State(const Request& r)
      : request(r), job(make_job(r)), search(job, fixed_degrees(r), r.search.alternatives + 1) {}
};

PlanTask::PlanTask(const Request& request) {
  validate(request);
  state_ = std::make_unique<State>(request);
}
PlanTask::~PlanTask() = default;
PlanTask::PlanTask(PlanTask&&) noexcept = default;
PlanTask& PlanTask::operator=(PlanTask&&) noexcept = default;

PlanTask::Progress PlanTask::step(std::int64_t pops) {
  Search& search = state_->search;
  search.step(pops);
  const SearchStatus& status = search.status();
  Progress progress;
  progress.done = status.done;
  progress.pops = status.pops;
  progress.bound = status.bound;
  if (!search.best().empty()) {
    progress.has_plan = true;
    progress.best = search.best().front().step;
    progress.gap = (progress.best - progress.bound) / progress.best;
  }
  return progress;
}

PlanOutcome PlanTask::result() const {
  const Search& search = state_->search;
  const SearchStatus& status = search.status();
  PlanOutcome outcome;
  outcome.search.proved_optimal = status.done;
  outcome.search.candidates = status.nodes_made;
  outcome.search.pruned = status.nodes_pruned;
  outcome.cancelled = !status.done;
  if (search.best().empty()) {
    if (status.done) outcome.infeasible = explain_infeasible(state_->request);
    return outcome;
  }
  const std::vector<Solution>& best = search.best();
  outcome.feasible = true;
  outcome.plan = explain(state_->job, best.front());
  if (!status.done) outcome.search.gap = (best.front().step - status.bound) / best.front().step;
  for (std::size_t i = 1; i < best.size(); ++i) {
    outcome.plan.alternatives.push_back(summarise(state_->job, best[i]));
  }
  return outcome;
}

PlanOutcome plan(const Request& request) {
  PlanTask task(request);
  task.step(kAllPops);
  return task.result();
}

PlanOutcome evaluate(const Request& request) {
  validate(request);
  const Request fixed = pinned(request);
  const std::vector<Issue> issues = request_faults(fixed);
  if (!issues.empty()) throw InputError(issues);
  return plan(fixed);
}

}  // namespace nestplan
