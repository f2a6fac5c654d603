// One layer of each type under one strategy: time of one micro-batch, saved activations, parameters
// per device. All of it is additive over the layers of a stage.
#pragma once

#include <array>
#include <vector>

#include "cost/breakdown.h"
#include "cost/config.h"
#include "cost/job.h"
#include "cost/placement.h"

namespace nestplan {

struct RecomputeCost {
  LoadParts parts;   // time of one micro-batch, itemised; `pipeline` and `data_parallel` are zero
  Seconds load;      // their sum
  Seconds forward;   // with communication: what a gradient or parameter transfer can hide behind
  Seconds backward;  // with communication and recompute
  Bytes saved;       // activations kept from forward to backward
  Bytes working;     // further activations live while the layer is recomputed
};

struct LayerCost {
  double dense_parameters = 0;     // per device
  double expert_parameters = 0;    // per device
  double gathered_parameters = 0;  // the larger of what ZeRO 3 must gather at once: all of a layer
  bool block = false;
  std::array<RecomputeCost, 3> recompute;  // by Recompute; equal for embedding and head
  [[nodiscard]] const RecomputeCost& under(Recompute kind) const {
    return recompute[static_cast<std::size_t>(kind)];
  }
};

// Which links the groups inside a layer use.
struct LayerLinks {
  Members tensor;
  Members context;
  Members expert;
  Members expert_tensor;
  friend bool operator==(const LayerLinks&, const LayerLinks&) = default;
};
[[nodiscard]] LayerLinks layer_links(const Config& config, const Network& network);
// Every group alone at stride 1: no placement is cheaper (search/bounds.h).
[[nodiscard]] LayerLinks innermost_links(const Config& config, const Network& network);

// By type of `job.chain`. Uses mbs, tp, sp, cp, ep and etp of the config only.
// Source: equations of the calibrated cost model, fitted on 577 published runs; README "accuracy".
[[nodiscard]] std::vector<LayerCost> layer_costs(const Job& job, const Config& config,
                                                 const LayerLinks& links);

// One all-to-all of the routed tokens. Inside the innermost level every copy travels; across it a
// token goes once to each other node that holds one of its experts.
[[nodiscard]] Seconds all_to_all_time(const Job& job, const Config& config,
                                      const LayerLinks& links);

// Tokens of one micro-batch on one rank: mbs * sequence / cp.
[[nodiscard]] double local_tokens(const Job& job, const Config& config);
// 1 / tp with sequence parallelism, else 1: the share of a non-tensor-parallel activation.
[[nodiscard]] double sequence_share(const Config& config);

}  // namespace nestplan
