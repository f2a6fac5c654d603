#include "plan/legal.h"

#include <algorithm>
#include <set>

#include "plan/job.h"
#include "plan/planner.h"
#include "search/space.h"

namespace nestplan {
namespace {

using Fault = std::string (*)(const Job&, std::int64_t);

std::vector<std::int64_t> up_to(std::int64_t most) {
  std::vector<std::int64_t> values;
  for (std::int64_t v = 1; v <= most; ++v) values.push_back(v);
  return values;
}

// Divisors of `whole` and powers of two, up to `most`.
std::vector<std::int64_t> likely(std::int64_t whole, std::int64_t most) {
  std::set<std::int64_t> values;
  for (const std::int64_t d : divisors(std::max<std::int64_t>(1, whole))) {
    if (d <= most) values.insert(d);
  }
  for (std::int64_t p = 1; p <= most; p *= 2) values.insert(p);
  return {values.begin(), values.end()};
}

Degree degree(const Job& job, const char* name, const std::vector<std::int64_t>& values,
              Fault fault) {
  Degree result;
  result.name = name;
  for (const std::int64_t value : values) result.values.push_back({value, fault(job, value)});
  return result;
}

}  // namespace

std::vector<Degree> legal_degrees(const Request& request) {
  validate(request);
  const Job job = make_job(request);
  const std::int64_t devices = job.network.devices;
  const std::int64_t batch = job.training.global_batch_sequences;
  const std::int64_t experts = job.model.moe.experts;
  constexpr std::int64_t kLongestContext = 64;
  constexpr std::int64_t kZeroStages = 3;
  std::vector<std::int64_t> zero = up_to(kZeroStages);
  zero.insert(zero.begin(), 0);
  return {
      degree(job, "tp", likely(job.model.heads, std::min(devices, job.model.heads)), tp_fault),
      degree(job, "cp", likely(1, std::min(devices, kLongestContext)), cp_fault),
      degree(job, "ep", likely(experts, std::max<std::int64_t>(1, experts)), ep_fault),
      degree(job, "etp", likely(job.model.heads, std::min<std::int64_t>(devices, 8)), etp_fault),
      degree(job, "dp", likely(batch, std::min(devices, batch)), dp_fault),
      degree(job, "pp", up_to(std::min(devices, job.model.layers + 2)), pp_fault),
      degree(job, "vpp", up_to(job.stack.max_vpp), vpp_fault),
      degree(job, "mbs", likely(batch, std::min(batch, request.search.max_micro_batch)), mbs_fault),
      degree(job, "zero", zero, zero_fault)};
}

}  // namespace nestplan
