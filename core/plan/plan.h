// The answer: a plan, or the reason why none fits and the nearest change that does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/breakdown.h"
#include "cost/config.h"
#include "plan/request.h"

namespace nestplan {

struct StagePlan {
  std::int64_t first_block = 0;  // global index of the first transformer block (vpp 1)
  std::int64_t blocks = 0;
  bool embedding = false;
  bool head = false;
  std::vector<std::int64_t> chunk_blocks;  // blocks of each virtual chunk, in order
  std::int64_t first_device = 0;           // of the first replica
  std::int64_t device_count = 0;           // devices holding this stage, all replicas
  StageOption option;
  MemoryParts memory;
  LoadParts load;
};

// One kind of communication: totals of a step on the stage where it is largest.
struct Communication {
  std::string what;   // "tensor parallel all-gather + reduce-scatter", ...
  std::string level;  // name of the outermost level it crosses
  std::string form;   // "hierarchical", "ring", "point to point"
  Bytes bytes;        // per device and step
  Seconds exposed;
  Seconds hidden;
};

struct PlanSummary {
  Config config;
  StageOption option;  // the strongest over the stages
  std::int64_t micro_batches = 0;
  Seconds step;
  double tokens_per_s = 0;
  double mfu = 0;
  Bytes peak;
  Bytes usable;
  double days = 0;  // 0: no token target
  double cost = 0;  // US dollars; 0: no target or no price
};

struct Plan {
  PlanSummary summary;
  std::int64_t devices_used = 0;
  std::int64_t devices_idle = 0;
  StepParts step;
  double hfu = 0;
  std::int64_t worst_stage = 0;
  std::vector<StagePlan> stages;
  std::vector<Communication> communication;
  std::vector<PlanSummary> alternatives;
  std::vector<std::string> warnings;
};

// Why nothing fits: the least overfull plan found, its worst stage and the largest part there.
struct Infeasible {
  std::int64_t stage = 0;
  std::string part;
  Bytes over;
  std::string text;
  struct Change {
    std::string change;   // a sentence: "Use 32 devices instead of 16"
    std::string pointer;  // the request field to change, a JSON Pointer: "/cluster/devices"
    double value = 0;     // and its new value
    PlanSummary summary;  // of the best plan after the change
  };
  std::vector<Change> nearest;
};

struct SearchCounters {
  bool proved_optimal = false;  // or, without a plan, proved that none fits
  double gap = 0;               // (best - bound) / best
  std::int64_t candidates = 0;
  std::int64_t pruned = 0;
};

struct PlanOutcome {
  bool feasible = false;
  bool cancelled = false;
  Plan plan;              // when feasible
  Infeasible infeasible;  // when not
  SearchCounters search;
};

}  // namespace nestplan
