// Compute time of single operators on one device: a roofline with a size-dependent efficiency.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "cost/training.h"
#include "topology/cluster.h"

namespace nestplan {

// Rows R (of all groups together), columns N, inner size K; G groups share R (experts).
struct MatmulShape {
  double rows = 0;
  double columns = 0;
  double inner = 0;
  double groups = 1;
};

struct ForwardBackward {
  Seconds forward;
  Seconds backward;
  ForwardBackward& operator+=(const ForwardBackward& other) {
    forward += other.forward;
    backward += other.backward;
    return *this;
  }
};

// Tiles that do not fill the device's cores evenly: >= 1, at most 8^0.65; 1 without tiles (TPU).
// Source: fitted on published runs; tile shapes are those of cuBLAS.
[[nodiscard]] double wave_quantisation(const Accelerator& accelerator, double rows, double columns,
                                       double groups);

// Forward, and backward (input gradient + weight gradient accumulated in fp32), each with its own
// shape: 2RNK w / (P e) + exposed operand traffic / B + launch. bf16 operands.
[[nodiscard]] ForwardBackward matmul_time(const Accelerator& accelerator, const Stack& stack,
                                          const MatmulShape& shape);

// Flash attention over `tokens` queries against `context` keys each (causal: half of them are
// masked), `heads` local heads. Backward is 2.5 forward: five products against two.
// Source: FlashAttention-2, arXiv 2307.08691.
[[nodiscard]] ForwardBackward attention_time(const Accelerator& accelerator, double tokens,
                                             double context, double heads, double qk_dim,
                                             double v_dim, bool causal);

// Time to move `bytes` through memory at the achieved rate.
[[nodiscard]] Seconds memory_time(const Accelerator& accelerator, double bytes);

}  // namespace nestplan
