// What is trained, and by which software: the parts of a request that are neither model nor
// network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace nestplan {

enum class Optimizer { kAdamW, kAdamW8Bit, kLion, kSgd };
enum class GradientType { kFp32, kBf16 };

struct Training {
  std::int64_t global_batch_sequences = 0;
  std::int64_t sequence_length = 0;
  GradientType gradients = GradientType::kFp32;
  Optimizer optimizer = Optimizer::kAdamW;
  double tokens = 0;  // to train for; 0: no target, so no days and no cost
  friend bool operator==(const Training&, const Training&) = default;
};

// Bytes per parameter of the bf16 recipe: weights 2, gradients 4 or 2, optimizer state with the
// fp32 master copy (AdamW 4+4+4, 8-bit 4+1+1, Lion 4+4, SGD with momentum 4+4).
struct StateBytes {
  double weights = 2;
  double gradients = 4;
  double optimizer = 12;
};
[[nodiscard]] constexpr StateBytes state_bytes(const Training& training) {
  const double gradients = training.gradients == GradientType::kFp32 ? 4 : 2;
  switch (training.optimizer) {
    case Optimizer::kAdamW8Bit: return {2, gradients, 6};
    case Optimizer::kLion:
    case Optimizer::kSgd: return {2, gradients, 8};
    case Optimizer::kAdamW: break;
  }
  return {2, gradients, 12};
}

// What a training stack can run (capabilities) and how it behaves (constants, COST_MODEL terms).
struct Stack {
  std::string name;
  std::string release;
  // Capabilities.
  bool per_stage_options = false;  // ZeRO and recompute may differ between stages
  std::vector<std::int64_t> zero;  // ZeRO stages it offers
  bool zero_with_pipeline = true;  // ZeRO 2 and 3 may be combined with pp > 1
  bool selective_recompute = true;
  bool uneven_stages = true;  // any contiguous cut, not only equal ones
  bool sequence_parallel = true;
  bool kv_replication = true;       // tp may be a multiple of the kv heads
  bool pipeline = true;             // pp > 1
  bool expert_parallel = true;      // ep > 1
  std::int64_t max_vpp = 1;         // > 1: the interleaved schedule
  bool gpipe = false;               // GPipe instead of 1F1B: every micro-batch is in flight
  std::vector<std::string> orders;  // rank orders, innermost first: "tp-cp-ep-dp-pp"
  // Constants.
  double elementwise_factor = 1;         // traffic of elementwise operators against the ideal
  double moe_factor = 1;                 // MoE dispatch and host cost against the reference release
  double matmul_traffic_exposed = 0.55;  // share of matmul operand traffic not hidden by math
  double tp_exposed = 1;                 // share of tensor-parallel communication not hidden
  double dp_exposed = 0.15;  // share of data-parallel traffic exposed even when overlapped
  bool dp_overlap = true;
  double pp_exposed = 0.25;
  double ep_exposed_intra = 0.5;        // expert all-to-all inside the innermost level
  double ep_exposed_inter = 0.95;       // and across
  double cp_exposed = 0.2;              // share of the ring exposed even behind attention
  double all_to_all_efficiency = 0.74;  // of the achieved rate, across nodes
  Seconds all_to_all_launch;            // per MoE block and direction
  Seconds kernel_launch;                // per matmul
  Seconds host_per_layer;               // host time to launch one block, forward and backward
  Seconds host_per_expert;              // more, per local expert of a MoE block
  double host_moe_factor = 4.76;        // a MoE block against a dense one
  Seconds collective_launch_across;  // per unfused collective across nodes, times log2(nodes + 1)
  Seconds fixed_per_step;
  double growth_per_doubling = 0.004;  // slowdown per doubling of devices beyond 8
  double activation_factor = 1;        // saved elementwise activations against the ideal
  double logits_bytes = 6.5;           // per token and vocabulary entry on the last stage
  bool recompute_stops_early = false;  // full recompute skips the block's last matmul
  double fragmentation = 1;            // allocator overhead on everything but the reserve
  Bytes reserve;                       // context, communicators
  friend bool operator==(const Stack&, const Stack&) = default;
};

}  // namespace nestplan
