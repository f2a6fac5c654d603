// The space of configurations: what is legal for a model, a batch, a cluster and a stack, and why
// the rest is not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/config.h"
#include "cost/job.h"

namespace nestplan {

// Degrees held fixed by the caller; empty ones are searched.
struct FixedDegrees {
  std::optional<std::int64_t> tp, cp, ep, etp, dp, pp, vpp, mbs, zero;
  std::optional<bool> sp;
  std::optional<Recompute> recompute;
  std::optional<Order> order;
  std::vector<std::int64_t> stage_blocks;  // per stage, first stage first; empty: free
  std::int64_t max_micro_batch = 16;
};

// Why a value is illegal whatever the other degrees are; empty when it is legal.
[[nodiscard]] std::string tp_fault(const Job& job, std::int64_t tp);
[[nodiscard]] std::string cp_fault(const Job& job, std::int64_t cp);
[[nodiscard]] std::string ep_fault(const Job& job, std::int64_t ep);
[[nodiscard]] std::string etp_fault(const Job& job, std::int64_t etp);
[[nodiscard]] std::string pp_fault(const Job& job, std::int64_t pp);
[[nodiscard]] std::string mbs_fault(const Job& job, std::int64_t mbs);
[[nodiscard]] std::string vpp_fault(const Job& job, std::int64_t vpp);
[[nodiscard]] std::string dp_fault(const Job& job, std::int64_t dp);
[[nodiscard]] std::string zero_fault(const Job& job, std::int64_t zero);
// Whether pp stages of vpp chunks each go with the micro-batches, the layers and the stack.
[[nodiscard]] bool interleaves(const Job& job, const Config& config);
// Why a whole configuration is illegal (sizes against devices and batch, expert grids, schedule).
[[nodiscard]] std::string config_fault(const Job& job, const Config& config);

// Positive divisors of n, ascending.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t n);

// Classes: every legal (mbs, tp, sp, cp, ep, etp); dp = pp = vpp = 1. Sequence parallelism is no
// dimension of the space: it is on wherever the stack has it and tp > 1 (it removes memory and work
// and moves no more bytes), unless the caller fixes it.
[[nodiscard]] std::vector<Config> strategy_classes(const Job& job, const FixedDegrees& fixed);

// Data-parallel sizes of a class: divisors of batch / mbs that the devices allow.
[[nodiscard]] std::vector<std::int64_t> data_sizes(const Job& job, const Config& strategy,
                                                   const FixedDegrees& fixed);

// ZeRO stages with their shard groups, and recompute: the options of one stage.
[[nodiscard]] std::vector<StageOption> stage_options(const Job& job, const Config& config,
                                                     const FixedDegrees& fixed);

// Orders that place this configuration differently: two orders that differ only in where a
// dimension of size 1 stands are the same.
[[nodiscard]] std::vector<Order> distinct_orders(const Job& job, const Config& config,
                                                 const FixedDegrees& fixed);

}  // namespace nestplan
