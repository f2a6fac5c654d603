#include "cost/stage_cost.h"

#include <algorithm>

#include "base/check.h"
#include "base/math.h"

namespace nestplan {
namespace {

double as_double(std::int64_t count) { return static_cast<double>(count); }

// Exposed part of a transfer that may hide behind `hiding`: what does not fit, and the share that
// even a fitting one costs.
Seconds exposed(const Stack& stack, Seconds transfer, Seconds hiding) {
  if (!stack.dp_overlap) return transfer;
  return max(Seconds(0), transfer - hiding) + stack.dp_exposed * transfer;
}

// Members of an expert's shard group when a dense parameter has `shard_group`.
std::int64_t expert_shard_of(const Config& config, std::int64_t shard_group) {
  const std::int64_t ranks = shard_group * config.tp;
  const std::int64_t split = config.ep * config.etp;
  return ranks % split == 0 ? ranks / split : 1;
}

DataCollectives data_collectives(const Job& job, const Config& config, const GroupLayout& layout,
                                 std::int64_t shard_group) {
  const std::int64_t used = config.devices();
  const auto table = [&](Collective collective, const Group& group) {
    return CollectiveTable(collective, job.network, members_of(group, job.network, used));
  };
  DataCollectives d;
  d.shard_group = shard_group;
  const Group shard = inner_part(layout.data, shard_group);
  const Group replicas = outer_part(layout.data, shard_group);
  d.shard_reduce = table(Collective::kReduceScatter, shard);
  d.shard_gather = table(Collective::kAllGather, shard);
  d.replica_reduce = table(Collective::kAllReduce, replicas);
  d.expert_shard = std::min(expert_shard_of(config, shard_group), layout.expert_data.size());
  const Group expert = inner_part(layout.expert_data, d.expert_shard);
  d.expert_reduce = table(Collective::kReduceScatter, expert);
  d.expert_gather = table(Collective::kAllGather, expert);
  d.expert_replica_reduce =
      table(Collective::kAllReduce, outer_part(layout.expert_data, d.expert_shard));
  const Members all = members_of(layout.data, job.network, used);
  const double nodes = as_double(all.size) / as_double(all.within[0]);
  if (nodes > 1) d.launch = job.stack.collective_launch_across * log2_of(nodes + 1);
  return d;
}

// Exposed send/recv of one micro-batch on every stage: it receives activations from the stage
// before and gradients from the stage after, `vpp` times each; the first and last are neighbours
// through the wrap-around of the interleaved schedule.
std::vector<Seconds> boundary_times(const Job& job, const Config& c, std::int64_t stride) {
  std::vector<Seconds> times(static_cast<std::size_t>(c.pp), Seconds(0));
  if (c.pp == 1) return times;
  const Bytes message(2 * local_tokens(job, c) * as_double(job.model.hidden_size) *
                      sequence_share(c));
  const auto hop = [&](std::int64_t from, std::int64_t to) {
    const std::int64_t level =
        stage_boundary_level(job.network, stride, c.pp, from, to, c.devices());
    return point_to_point(job.network, level).at(message) * job.stack.pp_exposed;
  };
  const double times_wrapped = as_double(c.vpp - 1);
  const Seconds wrap = c.vpp > 1 ? hop(c.pp - 1, 0) * times_wrapped : Seconds(0);
  for (std::int64_t k = 0; k + 1 < c.pp; ++k) {
    const Seconds link = hop(k, k + 1) * as_double(c.vpp);
    times[static_cast<std::size_t>(k)] += link;
    times[static_cast<std::size_t>(k + 1)] += link;
  }
  times.front() += wrap;
  times.back() += wrap;
  return times;
}

struct Shards {
  double dense;
  double experts;
};
Shards shards(const DataCollectives& d, std::int64_t zero, std::int64_t from_stage) {
  if (zero < from_stage) return {1, 1};
  return {as_double(d.shard_group), as_double(d.expert_shard)};
}

// One reduce-scatter (or all-gather) of `bytes` per parameter over dense and expert groups.
Seconds scatter_time(const DataCollectives& d, const CollectiveTable& dense,
                     const CollectiveTable& expert, const StageContent& content, double bytes) {
  const Bytes dense_bytes(bytes * content.dense_parameters);
  const Bytes expert_bytes(bytes * content.expert_parameters);
  Seconds time = dense.time(dense_bytes);
  if (time > Seconds(0)) time += d.launch;
  const Seconds routed = expert.time(expert_bytes);
  if (routed > Seconds(0)) time += routed + d.launch;
  return time;
}

// Sum of the sharded gradients over the replicas of a shard group.
Seconds replica_time(const DataCollectives& d, const StageContent& content, double bytes) {
  return d.replica_reduce.time(Bytes(bytes * content.dense_parameters / as_double(d.shard_group))) +
         d.expert_replica_reduce.time(
             Bytes(bytes * content.expert_parameters / as_double(d.expert_shard)));
}

}  // namespace

void StageContent::add(const LayerCost& layer, Recompute kind, std::int64_t count) {
  if (count == 0) return;
  const auto n = static_cast<double>(count);
  const RecomputeCost& cost = layer.under(kind);
  dense_parameters += n * layer.dense_parameters;
  expert_parameters += n * layer.expert_parameters;
  gathered_parameters = std::max(gathered_parameters, layer.gathered_parameters);
  load += n * cost.load;
  forward += n * cost.forward;
  backward += n * cost.backward;
  saved += n * cost.saved;
  working = max(working, cost.working);
}

const DataCollectives& StageContext::shards_of(std::int64_t group) const {
  for (const DataCollectives& d : shards) {
    if (d.shard_group == group) return d;
  }
  CHECK(false, "shard group was not priced");
  return shards.front();
}

std::vector<std::int64_t> shard_groups(const Config& config, const Network& network) {
  const Group data = layout_groups(config).data;
  const Members members = members_of(data, network, config.devices());
  std::vector<std::int64_t> groups{members.size};
  for (std::size_t l = 0; l < network.levels.size(); ++l) {
    const std::int64_t inside = members.within[l];
    const bool known = std::find(groups.begin(), groups.end(), inside) != groups.end();
    if (inside > 1 && !known && shard_splits(data, inside)) groups.push_back(inside);
  }
  return groups;
}

StageContext make_stage_context(const Job& job, const Config& config,
                                std::vector<LayerCost> layers) {
  StageContext context;
  context.job = &job;
  context.config = config;
  context.micro_batches = job.training.global_batch_sequences / (config.mbs * config.dp);
  context.layers = std::move(layers);
  const GroupLayout layout = layout_groups(config);
  for (const std::int64_t group : shard_groups(config, job.network)) {
    context.shards.push_back(data_collectives(job, config, layout, group));
  }
  context.boundary = boundary_times(job, config, layout.pipeline_stride);
  context.state = state_bytes(job.training);
  const double tokens = local_tokens(job, config);
  context.logits = Bytes(
      tokens * (job.stack.logits_bytes * as_double(job.model.vocab_size) / as_double(config.tp) +
                4 * as_double(job.model.hidden_size) * sequence_share(config)));
  return context;
}

DataTraffic data_traffic(const StageContext& context, const StageContent& content,
                         const StageOption& option) {
  const Stack& stack = context.job->stack;
  const DataCollectives& d = context.shards_of(option.shard_group);
  const double gradient = context.state.gradients;
  const double weight = context.state.weights;
  const auto m = static_cast<double>(context.micro_batches);
  const Seconds reduce = scatter_time(d, d.shard_reduce, d.expert_reduce, content, gradient);
  const Seconds replicas = replica_time(d, content, gradient);
  DataTraffic t;
  if (option.zero == 0) {  // an all-reduce of the gradients, behind the last backward
    const Seconds all =
        reduce + scatter_time(d, d.shard_gather, d.expert_gather, content, gradient);
    t.per_step = exposed(stack, all + replicas, content.backward);
    t.total = all + replicas;
    t.bytes = Bytes(2 * gradient * (content.dense_parameters + content.expert_parameters));
    return t;
  }
  const Seconds gather = scatter_time(d, d.shard_gather, d.expert_gather, content, weight);
  const double parameters = content.dense_parameters + content.expert_parameters;
  if (option.zero == 3) {
    t.per_micro_batch = exposed(stack, gather, content.forward) +
                        exposed(stack, gather + reduce + replicas, content.backward);
    t.total = m * (gather * 2 + reduce + replicas);
    t.bytes = Bytes(m * (2 * weight + gradient) * parameters);
    return t;
  }
  const Seconds sum = reduce + replicas;
  const Seconds exposed_sum = exposed(stack, sum, content.backward);
  const bool every = option.zero == 2;
  (every ? t.per_micro_batch : t.per_step) += exposed_sum;
  t.per_step += exposed(stack, gather, content.forward);
  t.total = (every ? m : 1) * sum + gather;
  t.bytes = Bytes(((every ? m : 1) * gradient + weight) * parameters);
  return t;
}

Seconds optimizer_time(const StageContext& context, const StageContent& content,
                       const StageOption& option) {
  // Master weights and moments read and written, gradients read and cleared, weights written.
  const double traffic =
      2 * context.state.optimizer + 2 * context.state.gradients + context.state.weights;
  const Shards s = shards(context.shards_of(option.shard_group), option.zero, 1);
  const double local = content.dense_parameters / s.dense + content.expert_parameters / s.experts;
  const Accelerator& a = context.job->accelerator;
  return Bytes(traffic * local) / (a.memory_bandwidth * a.memory_efficiency);
}

double micro_batches_in_flight(const Config& config, std::int64_t micro_batches,
                               std::int64_t slot) {
  switch (config.schedule) {
    case Schedule::kGpipe: return as_double(micro_batches);
    case Schedule::k1F1B: return as_double(std::min(slot, micro_batches));
    case Schedule::kInterleaved: break;
  }
  const std::int64_t chunks =
      std::min(micro_batches * config.vpp, (config.vpp - 1) * config.pp + 2 * (slot - 1) + 1);
  return as_double(chunks) / as_double(config.vpp);
}

MemoryParts stage_memory(const StageContext& context, const StageContent& content,
                         const StageOption& option, std::int64_t slot) {
  const DataCollectives& d = context.shards_of(option.shard_group);
  const Stack& stack = context.job->stack;
  const auto state = [&](double bytes, std::int64_t sharded_from) {
    const Shards s = shards(d, option.zero, sharded_from);
    return Bytes(bytes *
                 (content.dense_parameters / s.dense + content.expert_parameters / s.experts));
  };
  MemoryParts m;
  m.weights = state(context.state.weights, 3);
  m.gradients = state(context.state.gradients, 2);
  m.optimizer = state(context.state.optimizer, 1);
  m.activations =
      content.saved * micro_batches_in_flight(context.config, context.micro_batches, slot);
  if (content.head) m.logits = context.logits;
  // The backward of the head and that of a recomputed block do not overlap.
  m.buffers = max(Bytes(0), content.working - m.logits);
  if (option.zero == 3) {
    // The layer at work and the one being fetched; the gradients of one until they are scattered.
    m.buffers +=
        Bytes((2 * context.state.weights + context.state.gradients) * content.gathered_parameters);
  }
  m.reserve = m.total() * (stack.fragmentation - 1) + stack.reserve;
  return m;
}

StagePrice price_stage(const StageContext& context, const StageContent& content,
                       const StageOption& option, std::int64_t slot) {
  const DataTraffic traffic = data_traffic(context, content, option);
  const auto stage = static_cast<std::size_t>(context.config.pp - slot);
  return {content.load + context.boundary[stage] + traffic.per_micro_batch,
          traffic.per_step + optimizer_time(context, content, option),
          stage_memory(context, content, option, slot).total()};
}

Seconds tied_embedding_time(const Job& job, const Config& c) {
  if (!job.model.tied_embeddings || c.pp == 1) return Seconds(0);
  const std::int64_t stride = layout_groups(c).pipeline_stride;
  const std::int64_t level =
      stage_boundary_level(job.network, stride, c.pp, 0, c.pp - 1, c.devices());
  const double parameters =
      as_double(job.model.vocab_size * job.model.hidden_size) / as_double(c.tp);
  // An all-reduce between two: half there, half back, both ways at once, then the other halves.
  return point_to_point(job.network, level)
             .at(Bytes(state_bytes(job.training).gradients * parameters / 2)) *
         2;
}

StepTerms step_terms(const StageContext& context) {
  const Job& job = *context.job;
  const double doublings = log2_of(std::max(1.0, as_double(context.config.devices()) / 8));
  return {.micro_batches = as_double(context.micro_batches),
          .vpp = as_double(context.config.vpp),
          .growth = 1 + job.stack.growth_per_doubling * doublings,
          .constant = tied_embedding_time(job, context.config) + job.stack.fixed_per_step};
}

}  // namespace nestplan
