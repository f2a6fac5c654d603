#include "plan/infeasible.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "plan/explain.h"
#include "plan/job.h"
#include "search/leaf.h"
#include "search/search.h"

namespace nestplan {
namespace {

struct NamedPart {
  const char* name;
  Bytes MemoryParts::*part;
};
constexpr NamedPart kParts[] = {{"weights", &MemoryParts::weights},
                                {"gradients", &MemoryParts::gradients},
                                {"optimizer state", &MemoryParts::optimizer},
                                {"activations", &MemoryParts::activations},
                                {"logits", &MemoryParts::logits},
                                {"buffers", &MemoryParts::buffers},
                                {"reserve", &MemoryParts::reserve}};

// The plan that needs the least memory on its fullest stage, found by searching the same request on
// devices with more and more memory: memory only ever excludes, so a larger one keeps every plan.
std::optional<Solution> first_solution(const Request& request) {
  const Job job = make_job(request);
  Search search(job, fixed_degrees(request), 1);
  while (!search.status().done && search.best().empty()) search.step(64);
  if (search.best().empty()) return std::nullopt;
  return search.best().front();
}

Request with_memory(const Request& request, Bytes memory) {
  Request changed = request;
  changed.cluster.accelerator.memory = memory;
  return changed;
}

Request with_devices(const Request& request, std::int64_t devices) {
  Request changed = request;
  changed.cluster.devices = devices;
  return changed;
}

Request with_sequence(const Request& request, std::int64_t tokens) {
  Request changed = request;
  changed.training.sequence_length = tokens;
  return changed;
}

// Least memory with which something fits, within 1 %, and the plan that fits it.
struct LeastMemory {
  Bytes memory;
  Solution solution;
};
std::optional<LeastMemory> least_memory(const Request& request) {
  const Bytes have = request.cluster.accelerator.memory;
  Bytes low = have;
  std::optional<Solution> found;
  Bytes high = have;
  for (int doubling = 0; doubling < 24 && !found; ++doubling) {
    low = high;
    high = high * 2;
    found = first_solution(with_memory(request, high));
  }
  if (!found) return std::nullopt;
  high = found->peak;
  while (high - low > high * 0.01) {
    const Bytes middle = (low + high) / 2;
    if (auto closer = first_solution(with_memory(request, middle))) {
      high = closer->peak;
      found = std::move(closer);
    } else {
      low = middle;
    }
  }
  return LeastMemory{high, *found};
}

// Smallest value in [low + 1, high] that fits, given that `low` does not and `high` does; exact
// where fitting is monotone (devices: idle ones are allowed).
std::int64_t smallest_fitting(std::int64_t low, std::int64_t high,
                              const std::function<bool(std::int64_t)>& fits) {
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

void add_change(Infeasible& infeasible, const Request& changed, std::string sentence,
                std::string pointer, double value) {
  const Job job = make_job(changed);
  Search search(job, fixed_degrees(changed), 1);
  while (!search.status().done) search.step(1024);
  if (search.best().empty()) return;
  infeasible.nearest.push_back(
      {std::move(sentence), std::move(pointer), value, summarise(job, search.best().front())});
}

void try_more_devices(Infeasible& infeasible, const Request& request) {
  const std::int64_t have = request.cluster.devices;
  const std::int64_t hold = max_devices(request.cluster);
  const std::int64_t most = std::min(hold == 0 ? have * 4096 : hold, have * 4096);
  const auto fits = [&request](std::int64_t n) {
    return first_solution(with_devices(request, n)).has_value();
  };
  std::int64_t low = have;
  std::int64_t high = have;
  while (high < most) {
    low = high;
    high = std::min(most, high * 2);
    if (!fits(high)) continue;
    const std::int64_t devices = smallest_fitting(low, high, fits);
    add_change(infeasible, with_devices(request, devices),
               "Use " + std::to_string(devices) + " devices instead of " + std::to_string(have),
               "/cluster/devices", static_cast<double>(devices));
    return;
  }
}

void try_shorter_sequence(Infeasible& infeasible, const Request& request) {
  const std::int64_t have = request.training.sequence_length;
  for (std::int64_t tokens = have / 2; tokens >= 128; tokens /= 2) {
    if (!first_solution(with_sequence(request, tokens))) continue;
    add_change(infeasible, with_sequence(request, tokens),
               "Train on sequences of " + std::to_string(tokens) + " tokens instead of " +
                   std::to_string(have),
               "/training/sequence_length", static_cast<double>(tokens));
    return;
  }
}

std::string gigabytes(Bytes bytes) {
  const auto tenths = static_cast<std::int64_t>(bytes / Bytes(kGiga) * 10 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

void describe(Infeasible& infeasible, const Request& request, const LeastMemory& least) {
  const Job job = make_job(with_memory(request, least.memory));
  const Plan plan = explain(job, least.solution);
  const MemoryParts& worst = plan.stages[static_cast<std::size_t>(plan.worst_stage)].memory;
  const NamedPart* largest = kParts;
  for (const NamedPart& part : kParts) {
    if (worst.*part.part > worst.*largest->part) largest = &part;
  }
  infeasible.stage = plan.worst_stage;
  infeasible.part = largest->name;
  infeasible.over = worst.total() - request.cluster.accelerator.memory;
  infeasible.text = "The leanest plan needs " + gigabytes(worst.total()) +
                    " on a device of stage " + std::to_string(plan.worst_stage) + ", " +
                    gigabytes(infeasible.over) + " more than there is. The largest part is " +
                    largest->name + ": " + gigabytes(worst.*largest->part) + ".";
}

}  // namespace

Infeasible explain_infeasible(const Request& request) {
  Infeasible infeasible;
  const std::optional<LeastMemory> least = least_memory(request);
  if (!least) {
    infeasible.part = "configuration";
    infeasible.text =
        "No split of the model, the batch and the devices is legal with these settings, whatever "
        "the memory.";
    try_more_devices(infeasible, request);
    return infeasible;
  }
  describe(infeasible, request, *least);
  try_more_devices(infeasible, request);
  try_shorter_sequence(infeasible, request);
  // No accelerator has many times the memory of another: say so only when nothing else helps.
  constexpr double kPlausible = 4;
  const double times = least->memory / request.cluster.accelerator.memory;
  if (times > kPlausible && !infeasible.nearest.empty()) return infeasible;
  add_change(infeasible, with_memory(request, least->memory),
             "Use devices with " + gigabytes(least->memory) + " of memory instead of " +
                 gigabytes(request.cluster.accelerator.memory),
             "/cluster/accelerator/memory_bytes", least->memory.value());
  return infeasible;
}

}  // namespace nestplan
