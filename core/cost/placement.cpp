#include "cost/placement.h"

#include "base/check.h"

namespace nestplan {
namespace {

// Sizes of the five dimensions in one of the two rank grids.
struct Grid {
  std::int64_t tensor, context, expert, data, pipeline;
  [[nodiscard]] std::int64_t size(Dim dim) const {
    switch (dim) {
      case Dim::kTensor: return tensor;
      case Dim::kContext: return context;
      case Dim::kExpert: return expert;
      case Dim::kData: return data;
      case Dim::kPipeline: return pipeline;
    }
    return 1;
  }
};

Grid dense_grid(const Config& c) { return {c.tp, c.cp, 1, c.dp, c.pp}; }
Grid expert_grid(const Config& c) { return {c.etp, 1, c.ep, expert_replicas(c), c.pp}; }

std::int64_t stride_of(const Grid& grid, const Order& order, Dim wanted) {
  std::int64_t stride = 1;
  for (const Dim dim : order.dims) {
    if (dim == wanted) break;
    stride *= grid.size(dim);
  }
  return stride;
}

Group single(const Grid& grid, const Order& order, Dim dim) {
  Group group;
  group.factors[0] = {grid.size(dim), stride_of(grid, order, dim)};
  return group;
}

// The data-parallel group of a dense parameter: cp and dp, the inner one first.
Group data_group(const Grid& grid, const Order& order) {
  const Factor context{grid.context, stride_of(grid, order, Dim::kContext)};
  const Factor data{grid.data, stride_of(grid, order, Dim::kData)};
  const bool context_inside = context.stride <= data.stride;
  const Factor inner = context_inside ? context : data;
  const Factor outer = context_inside ? data : context;
  Group group;
  if (inner.size == 1 || outer.size == 1) {
    group.factors[0] = inner.size == 1 ? outer : inner;
  } else if (inner.stride * inner.size == outer.stride) {
    group.factors[0] = {inner.size * outer.size, inner.stride};
  } else {
    group.factors[0] = inner;
    group.factors[1] = outer;
  }
  return group;
}

}  // namespace

std::int64_t expert_replicas(const Config& config) {
  return config.tp * config.cp * config.dp / (config.ep * config.etp);
}

bool grids_agree(const Config& config) {
  return stride_of(dense_grid(config), config.order, Dim::kPipeline) ==
         stride_of(expert_grid(config), config.order, Dim::kPipeline);
}

GroupLayout layout_groups(const Config& config) {
  const Grid dense = dense_grid(config);
  const Grid expert = expert_grid(config);
  return {.tensor = single(dense, config.order, Dim::kTensor),
          .context = single(dense, config.order, Dim::kContext),
          .data = data_group(dense, config.order),
          .expert_tensor = single(expert, config.order, Dim::kTensor),
          .expert = single(expert, config.order, Dim::kExpert),
          .expert_data = single(expert, config.order, Dim::kData),
          .pipeline_stride = stride_of(dense, config.order, Dim::kPipeline)};
}

bool shard_splits(const Group& group, std::int64_t size) {
  const Factor inner = group.factors[0];
  if (size <= inner.size) return inner.size % size == 0;
  return size % inner.size == 0 && group.factors[1].size % (size / inner.size) == 0;
}

Group inner_part(const Group& group, std::int64_t size) {
  CHECK(shard_splits(group, size), "shard group does not divide its group");
  Group part;
  const Factor inner = group.factors[0];
  if (size <= inner.size) {
    part.factors[0] = {size, inner.stride};
  } else {
    part.factors[0] = inner;
    part.factors[1] = {size / inner.size, group.factors[1].stride};
  }
  return part;
}

Group outer_part(const Group& group, std::int64_t size) {
  CHECK(shard_splits(group, size), "shard group does not divide its group");
  Group part;
  const Factor inner = group.factors[0];
  const Factor outer = group.factors[1];
  if (size <= inner.size) {
    part.factors[0] = {inner.size / size, inner.stride * size};
    part.factors[1] = outer;
  } else {
    const std::int64_t taken = size / inner.size;
    part.factors[0] = {outer.size / taken, outer.stride * taken};
  }
  return part;
}

}  // namespace nestplan
