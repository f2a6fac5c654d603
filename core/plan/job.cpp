#include "plan/job.h"

#include <numeric>
#include <optional>
#include <string>

#include "model/validate.h"

namespace nestplan {
namespace {

using DegreeFault = std::string (*)(const Job&, std::int64_t);

void check_pin(std::vector<Issue>& issues, const Job& job, const char* name,
               const std::optional<std::int64_t>& pin, DegreeFault fault) {
  if (!pin) return;
  const std::string reason = fault(job, *pin);
  if (reason.empty()) return;
  issues.push_back(
      {std::string("/search/pins/") + name, "illegal-degree",
       std::string(name) + " = " + std::to_string(*pin) + " is not possible: " + reason,
       "leave it free, or see `nestplan legal`"});
}

void check_pins(std::vector<Issue>& issues, const Job& job, const Pins& pins) {
  check_pin(issues, job, "tp", pins.tp, tp_fault);
  check_pin(issues, job, "cp", pins.cp, cp_fault);
  check_pin(issues, job, "ep", pins.ep, ep_fault);
  check_pin(issues, job, "etp", pins.etp, etp_fault);
  check_pin(issues, job, "dp", pins.dp, dp_fault);
  check_pin(issues, job, "pp", pins.pp, pp_fault);
  check_pin(issues, job, "vpp", pins.vpp, vpp_fault);
  check_pin(issues, job, "mbs", pins.mbs, mbs_fault);
  check_pin(issues, job, "zero", pins.zero, zero_fault);
  if (pins.recompute == Recompute::kSelective && !job.stack.selective_recompute) {
    issues.push_back({"/search/pins/recompute", "illegal-degree",
                      job.stack.name + " has no selective recompute", "\"none\" or \"full\""});
  }
  if (pins.sp.value_or(false) && !job.stack.sequence_parallel) {
    issues.push_back(
        {"/search/pins/sp", "illegal-degree", job.stack.name + " has no sequence parallelism", ""});
  }
}

void check_stage_layers(std::vector<Issue>& issues, const Job& job, const Pins& pins) {
  if (!pins.stage_layers) return;
  const std::vector<std::int64_t>& cut = *pins.stage_layers;
  const std::int64_t sum = std::accumulate(cut.begin(), cut.end(), std::int64_t{0});
  if (sum != job.model.layers) {
    issues.push_back({"/search/pins/stage_layers", "wrong-sum",
                      "the stages hold " + std::to_string(sum) + " blocks, the model has " +
                          std::to_string(job.model.layers),
                      ""});
  }
  if (pins.pp && *pins.pp != std::ssize(cut)) {
    issues.push_back({"/search/pins/stage_layers", "wrong-length",
                      std::to_string(cut.size()) + " stages are listed, pp is pinned to " +
                          std::to_string(*pins.pp),
                      ""});
  }
}

}  // namespace

Job make_job(const Request& request) {
  return {request.model,
          build_chain(request.model),
          request.cluster.accelerator,
          build_network(request.cluster),
          request.training,
          request.stack};
}

FixedDegrees fixed_degrees(const Request& request) {
  const Pins& pins = request.search.pins;
  FixedDegrees fixed;
  fixed.tp = pins.tp;
  fixed.cp = pins.cp;
  fixed.ep = pins.ep;
  fixed.etp = pins.etp;
  fixed.dp = pins.dp;
  fixed.pp = pins.pp;
  fixed.vpp = pins.vpp;
  fixed.mbs = pins.mbs;
  fixed.zero = pins.zero;
  fixed.recompute = pins.recompute;
  fixed.sp = pins.sp;
  fixed.max_micro_batch = request.search.max_micro_batch;
  if (pins.stage_layers) {
    fixed.stage_blocks = *pins.stage_layers;
    fixed.pp = std::ssize(*pins.stage_layers);
  }
  if (pins.order) {
    Order order;
    if (parse_order(*pins.order, order)) fixed.order = order;
  }
  return fixed;
}

std::vector<Issue> request_faults(const Request& request) {
  std::vector<Issue> issues = validate_model(request.model);
  const std::int64_t most = max_devices(request.cluster);
  if (most > 0 && request.cluster.devices > most) {
    issues.push_back({"/cluster/devices", "out-of-range",
                      std::to_string(request.cluster.devices) + " devices, the levels hold " +
                          std::to_string(most),
                      std::to_string(most)});
  }
  if (request.model.learned_positions > 0 &&
      request.training.sequence_length > request.model.learned_positions) {
    issues.push_back({"/training/sequence_length", "out-of-range",
                      "a sequence of " + std::to_string(request.training.sequence_length) +
                          " tokens, the model has " +
                          std::to_string(request.model.learned_positions) + " learned positions",
                      std::to_string(request.model.learned_positions)});
  }
  if (!issues.empty()) return issues;
  const Job job = make_job(request);
  check_pins(issues, job, request.search.pins);
  check_stage_layers(issues, job, request.search.pins);
  return issues;
}

}  // namespace nestplan
