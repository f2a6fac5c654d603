// One pipeline stage: load of a micro-batch, what it adds once a step, and its memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cost/breakdown.h"
#include "cost/collectives.h"
#include "cost/config.h"
#include "cost/job.h"
#include "cost/layer_cost.h"
#include "cost/placement.h"

namespace nestplan {

// What a stage holds, summed over its layers; linear in the layers except for the two maxima.
struct StageContent {
  double dense_parameters = 0;
  double expert_parameters = 0;
  double gathered_parameters = 0;  // of the largest layer
  Seconds load;                    // without pipeline and data-parallel parts
  Seconds forward;
  Seconds backward;
  Bytes saved;    // one micro-batch
  Bytes working;  // of the largest layer
  bool head = false;
  // Adds `count` layers of one type under one kind of recompute.
  void add(const LayerCost& layer, Recompute kind, std::int64_t count);
};

// Data-parallel collectives of one shard group.
struct DataCollectives {
  std::int64_t shard_group = 1;   // of a dense parameter
  std::int64_t expert_shard = 1;  // of an expert parameter
  CollectiveTable shard_reduce, shard_gather, replica_reduce;
  CollectiveTable expert_reduce, expert_gather, expert_replica_reduce;
  Seconds launch;  // of one collective across nodes
};

// A configuration placed on the network: everything a stage price needs besides its layers.
struct StageContext {
  const Job* job = nullptr;
  Config config;
  std::int64_t micro_batches = 1;       // per pipeline and step
  std::vector<LayerCost> layers;        // by type
  std::vector<DataCollectives> shards;  // by shard group; the whole data-parallel group first
  std::vector<Seconds> boundary;  // exposed send/recv of one micro-batch, by stage (first = 0)
  StateBytes state;
  Bytes logits;  // of the last stage
  [[nodiscard]] const DataCollectives& shards_of(std::int64_t group) const;
};

// Shard groups a stack may use on this configuration: the whole group, and with hybrid sharding its
// part inside each level.
[[nodiscard]] std::vector<std::int64_t> shard_groups(const Config& config, const Network& network);

[[nodiscard]] StageContext make_stage_context(const Job& job, const Config& config,
                                              std::vector<LayerCost> layers);

struct DataTraffic {
  Seconds per_micro_batch;  // exposed
  Seconds per_step;         // exposed
  Seconds total;            // of a step, exposed or not
  Bytes bytes;              // per device and step
};
[[nodiscard]] DataTraffic data_traffic(const StageContext& context, const StageContent& content,
                                       const StageOption& option);

[[nodiscard]] Seconds optimizer_time(const StageContext& context, const StageContent& content,
                                     const StageOption& option);

// `slot` counts from the last stage, 1-based.
[[nodiscard]] double micro_batches_in_flight(const Config& config, std::int64_t micro_batches,
                                             std::int64_t slot);
[[nodiscard]] MemoryParts stage_memory(const StageContext& context, const StageContent& content,
                                       const StageOption& option, std::int64_t slot);

struct StagePrice {
  Seconds load;  // with pipeline and per-micro-batch data-parallel traffic
  Seconds tail;  // once a step: gradient sync and optimizer
  Bytes memory;
};
[[nodiscard]] StagePrice price_stage(const StageContext& context, const StageContent& content,
                                     const StageOption& option, std::int64_t slot);

// The objective of DESIGN 3 for stage loads and the largest tail.
struct StepTerms {
  double micro_batches = 1;
  double vpp = 1;
  double growth = 1;  // 1 + growth_per_doubling * log2(max(1, used / 8))
  Seconds constant;   // tied embeddings, fixed overhead
  [[nodiscard]] Seconds step(Seconds longest, Seconds sum, Seconds tail) const {
    return ((micro_batches - 1 / vpp) * longest + sum / vpp) * growth + tail + constant;
  }
};
[[nodiscard]] StepTerms step_terms(const StageContext& context);

// Gradients of a tied embedding, summed between the first and the last stage.
[[nodiscard]] Seconds tied_embedding_time(const Job& job, const Config& config);

}  // namespace nestplan
