// One configuration: how a job is split over devices. DESIGN vocabulary, Megatron-Core names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace nestplan {

enum class Recompute { kNone, kSelective, kFull };
enum class Schedule { kGpipe, k1F1B, kInterleaved };

// Which dimension is innermost on the devices. The dense layers use every dimension but kExpert,
// the routed experts every one but kContext, with etp for tp and the remaining expert replicas for
// dp: Megatron-Core's two rank generators over one order string.
enum class Dim { kTensor, kContext, kExpert, kData, kPipeline };
struct Order {
  std::array<Dim, 5> dims{Dim::kTensor, Dim::kContext, Dim::kExpert, Dim::kData, Dim::kPipeline};
  friend bool operator==(const Order&, const Order&) = default;
};
// "tp-cp-ep-dp-pp", innermost first, and back. `parse_order` is false for anything else than a
// permutation of the five names.
[[nodiscard]] std::string order_name(const Order& order);
[[nodiscard]] bool parse_order(const std::string& name, Order& order);

// ZeRO, its shard group, and recompute: chosen per stage where the stack allows it.
struct StageOption {
  std::int64_t zero = 0;
  // Members of the shard group: dp*cp (the whole data-parallel group) or a divisor (hybrid).
  std::int64_t shard_group = 1;
  Recompute recompute = Recompute::kNone;
  std::int64_t recompute_layers = 0;  // with kFull: blocks recomputed, all of the stage's
  friend bool operator==(const StageOption&, const StageOption&) = default;
};

struct Config {
  std::int64_t mbs = 1;
  std::int64_t tp = 1;
  bool sp = false;
  std::int64_t cp = 1;
  std::int64_t ep = 1;
  std::int64_t etp = 1;
  std::int64_t dp = 1;
  std::int64_t pp = 1;
  std::int64_t vpp = 1;
  Order order;
  Schedule schedule = Schedule::k1F1B;
  [[nodiscard]] std::int64_t devices() const { return tp * cp * dp * pp; }
  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace nestplan
