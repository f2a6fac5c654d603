// Where the groups of a configuration lie on the network.
#pragma once

#include <cstdint>

#include "cost/config.h"
#include "topology/network.h"

namespace nestplan {

struct GroupLayout {
  Group tensor;
  Group context;
  Group data;  // data-parallel replicas of a dense parameter: cp and dp together
  Group expert_tensor;
  Group expert;
  Group expert_data;  // replicas of an expert parameter
  std::int64_t pipeline_stride = 1;
};

// Replicas of every expert parameter: tp*cp*dp / (ep*etp). Precondition: it divides.
[[nodiscard]] std::int64_t expert_replicas(const Config& config);

// True when the dense and the expert rank grids agree on which devices form a stage (they do when
// the same number of ranks lies inside the pipeline dimension).
[[nodiscard]] bool grids_agree(const Config& config);

[[nodiscard]] GroupLayout layout_groups(const Config& config);

// The innermost `size` members of `group`, and what is left: one replica of every shard.
// Precondition: `size` divides the group factor by factor (see shard_splits).
[[nodiscard]] bool shard_splits(const Group& group, std::int64_t size);
[[nodiscard]] Group inner_part(const Group& group, std::int64_t size);
[[nodiscard]] Group outer_part(const Group& group, std::int64_t size);

}  // namespace nestplan
