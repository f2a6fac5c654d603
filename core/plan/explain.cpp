#include "plan/explain.h"

#include <algorithm>
#include <string>

#include "base/check.h"
#include "plan/communication.h"

namespace nestplan {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kHoursPerDay = 24;

double as_double(std::int64_t count) { return static_cast<double>(count); }

double tokens_per_step(const Job& job) {
  return as_double(job.training.global_batch_sequences * job.training.sequence_length);
}

// Model FLOP/s of the step against the peak of the devices used.
double utilisation(const Job& job, double flops_per_token, std::int64_t used, Seconds step) {
  const Flops work(flops_per_token * tokens_per_step(job));
  return (work / (job.accelerator.compute * as_double(used))) / step;
}

void add_load(LoadParts& sum, const LoadParts& parts, double times) {
  sum.forward += parts.forward * times;
  sum.backward += parts.backward * times;
  sum.recompute += parts.recompute * times;
  sum.tensor_parallel += parts.tensor_parallel * times;
  sum.context_parallel += parts.context_parallel * times;
  sum.expert_parallel += parts.expert_parallel * times;
  sum.pipeline += parts.pipeline * times;
  sum.data_parallel += parts.data_parallel * times;
  sum.host += parts.host * times;
}

struct PricedStage {
  StagePlan plan;
  StageContent content;
  Seconds tail_sync;
  Seconds tail_optimizer;
};

PricedStage price_plan_stage(const StageContext& context, const ChainCounts& chain,
                             const StageCut& cut, std::int64_t stage) {
  const Config& c = context.config;
  const std::int64_t slot = c.pp - stage;
  PricedStage priced;
  priced.content = chain.content(context.layers, cut.option.recompute, cut.begin, cut.end);
  for (std::size_t t = 0; t < context.layers.size(); ++t) {
    add_load(priced.plan.load, context.layers[t].under(cut.option.recompute).parts,
             as_double(chain.count(t, cut.begin, cut.end)));
  }
  const DataTraffic traffic = data_traffic(context, priced.content, cut.option);
  priced.plan.load.pipeline = context.boundary[static_cast<std::size_t>(stage)];
  priced.plan.load.data_parallel = traffic.per_micro_batch;
  priced.tail_sync = traffic.per_step;
  priced.tail_optimizer = optimizer_time(context, priced.content, cut.option);
  StagePlan& plan = priced.plan;
  plan.option = cut.option;
  plan.embedding = cut.begin == 0;
  plan.head = cut.end == chain.size();
  plan.blocks = chain.blocks(cut.begin, cut.end);
  plan.first_block = cut.begin == 0 ? 0 : cut.begin - 1;
  if (cut.option.recompute == Recompute::kFull) plan.option.recompute_layers = plan.blocks;
  plan.first_device = stage * layout_groups(c).pipeline_stride;
  plan.device_count = c.tp * c.cp * c.dp;
  plan.memory = stage_memory(context, priced.content, cut.option, slot);
  return priced;
}

StepParts step_parts(const StageContext& context, const std::vector<PricedStage>& stages) {
  const StepTerms terms = step_terms(context);
  std::size_t longest = 0;
  std::size_t tail = 0;
  Seconds sum(0);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const auto load = [&stages](std::size_t i) { return stages[i].plan.load.total(); };
    const auto after = [&stages](std::size_t i) {
      return stages[i].tail_sync + stages[i].tail_optimizer;
    };
    if (load(k) > load(longest)) longest = k;
    if (after(k) > after(tail)) tail = k;
    sum += load(k);
  }
  StepParts parts;
  add_load(parts.steady, stages[longest].plan.load, terms.micro_batches);
  parts.bubble = (sum - stages[longest].plan.load.total()) / terms.vpp;
  parts.growth = (parts.steady.total() + parts.bubble) * (terms.growth - 1);
  parts.data_parallel_sync = stages[tail].tail_sync;
  parts.optimizer = stages[tail].tail_optimizer;
  parts.tied_embedding_sync = tied_embedding_time(*context.job, context.config);
  parts.fixed = context.job->stack.fixed_per_step;
  return parts;
}

std::vector<std::string> warnings_for(const Job& job, const Plan& plan) {
  std::vector<std::string> warnings;
  if (job.model.moe.experts > 0) {
    warnings.emplace_back(
        "Memory of mixture-of-experts models has not been checked against a measured run, and "
        "routing is taken as balanced.");
  }
  if (plan.devices_idle > 0) {
    warnings.push_back(std::to_string(plan.devices_idle) + " of " +
                       std::to_string(job.network.devices) +
                       " devices stay idle: no legal split uses them to be faster.");
  }
  const double headroom = (plan.summary.usable - plan.summary.peak) / plan.summary.usable;
  if (headroom < 0.05) {
    warnings.emplace_back("Less than 5 % of the memory is left on the fullest stage.");
  }
  return warnings;
}

}  // namespace

PlanSummary summarise(const Job& job, const Solution& solution) {
  const ChainCounts chain(job.chain);
  PlanSummary s;
  s.config = solution.config;
  for (const StageCut& cut : solution.stages) {
    s.option.zero = std::max(s.option.zero, cut.option.zero);
    s.option.shard_group = std::max(s.option.shard_group, cut.option.shard_group);
    s.option.recompute = std::max(s.option.recompute, cut.option.recompute);
    if (cut.option.recompute == Recompute::kFull) {
      s.option.recompute_layers =
          std::max(s.option.recompute_layers, chain.blocks(cut.begin, cut.end));
    }
  }
  s.micro_batches =
      job.training.global_batch_sequences / (solution.config.mbs * solution.config.dp);
  s.step = solution.step;
  s.tokens_per_s = tokens_per_step(job) / solution.step.value();
  const std::int64_t used = solution.config.devices();
  s.mfu = utilisation(job, model_flops_per_token(job.model, job.training.sequence_length), used,
                      solution.step);
  s.peak = solution.peak;
  s.usable = job.accelerator.memory;
  if (job.training.tokens > 0) {
    const double hours = job.training.tokens / s.tokens_per_s / kSecondsPerHour;
    s.days = hours / kHoursPerDay;
    s.cost = hours * as_double(used) * job.accelerator.price_per_hour;
  }
  return s;
}

Plan explain(const Job& job, const Solution& solution) {
  const Config& c = solution.config;
  const ChainCounts chain(job.chain);
  const LayerLinks links = layer_links(c, job.network);
  const StageContext context = make_stage_context(job, c, layer_costs(job, c, links));
  std::vector<PricedStage> stages;
  Plan plan;
  plan.summary = summarise(job, solution);
  plan.devices_used = c.devices();
  plan.devices_idle = job.network.devices - c.devices();
  std::vector<std::int64_t> blocks;
  Seconds computed(0);
  Seconds repeated(0);
  for (std::size_t k = 0; k < solution.stages.size(); ++k) {
    stages.push_back(
        price_plan_stage(context, chain, solution.stages[k], static_cast<std::int64_t>(k)));
    const StagePlan& stage = stages.back().plan;
    computed += stage.load.forward + stage.load.backward;
    repeated += stage.load.recompute;
    if (stage.memory.total() > solution.peak * (1 - 1e-12)) {
      plan.worst_stage = static_cast<std::int64_t>(k);
    }
    plan.stages.push_back(stage);
    blocks.push_back(stage.blocks);
  }
  const auto chunks = split_chunks(c, blocks);
  for (std::size_t k = 0; k < chunks.size(); ++k) plan.stages[k].chunk_blocks = chunks[k];
  plan.step = step_parts(context, stages);
  plan.summary.step = plan.step.total();
  CHECK(plan.step.total() < solution.step * (1 + 1e-9) &&
            plan.step.total() > solution.step * (1 - 1e-9),
        "the itemised step differs from the searched one");
  // Hardware FLOPs: recomputed work counts as its share of the compute time.
  plan.hfu = plan.summary.mfu * ((computed + repeated) / computed);
  plan.communication = communication_table(context, chain, solution.stages);
  plan.warnings = warnings_for(job, plan);
  return plan;
}

}  // namespace nestplan
