#include "io/write.h"

#include <string>
#include <utility>

#include "io/echo.h"
#include "plan/band.h"

namespace nestplan {

using nlohmann::ordered_json;

namespace {

const char* recompute_name(Recompute recompute) {
  switch (recompute) {
    case Recompute::kNone: return "none";
    case Recompute::kSelective: return "selective";
    case Recompute::kFull: break;
  }
  return "full";
}

const char* schedule_name(Schedule schedule) {
  switch (schedule) {
    case Schedule::kGpipe: return "gpipe";
    case Schedule::k1F1B: return "1f1b";
    case Schedule::kInterleaved: break;
  }
  return "interleaved";
}

ordered_json write_recompute(const StageOption& option) {
  ordered_json choice = {{"kind", recompute_name(option.recompute)}};
  if (option.recompute == Recompute::kFull) choice["layers"] = option.recompute_layers;
  return choice;
}

// Days and costs: 0 says that they are not known.
ordered_json known(double value) { return value > 0 ? ordered_json(value) : ordered_json(); }

ordered_json write_config(const PlanSummary& summary, std::int64_t devices) {
  const Config& config = summary.config;
  return {{"tp", config.tp},
          {"sp", config.sp},
          {"cp", config.cp},
          {"ep", config.ep},
          {"etp", config.etp},
          {"dp", config.dp},
          {"pp", config.pp},
          {"vpp", config.vpp},
          {"mbs", config.mbs},
          {"micro_batches", summary.micro_batches},
          {"zero", summary.option.zero},
          {"recompute", write_recompute(summary.option)},
          {"order", order_name(config.order)},
          {"schedule", schedule_name(config.schedule)},
          {"devices_used", config.devices()},
          {"devices_idle", devices - config.devices()}};
}

ordered_json write_load(const LoadParts& load) {
  return {{"forward_s", load.forward.value()},
          {"backward_s", load.backward.value()},
          {"recompute_s", load.recompute.value()},
          {"tensor_parallel_s", load.tensor_parallel.value()},
          {"context_parallel_s", load.context_parallel.value()},
          {"expert_parallel_s", load.expert_parallel.value()},
          {"pipeline_s", load.pipeline.value()},
          {"data_parallel_s", load.data_parallel.value()},
          {"host_s", load.host.value()}};
}

ordered_json write_step(const StepParts& step) {
  ordered_json parts = write_load(step.steady);
  parts["bubble_s"] = step.bubble.value();
  parts["growth_s"] = step.growth.value();
  parts["data_parallel_sync_s"] = step.data_parallel_sync.value();
  parts["tied_embedding_sync_s"] = step.tied_embedding_sync.value();
  parts["optimizer_s"] = step.optimizer.value();
  parts["fixed_s"] = step.fixed.value();
  const double total = step.total().value();
  return {{"total_s", total},
          {"low_s", total * kBandLow},
          {"high_s", total * kBandHigh},
          {"parts", std::move(parts)}};
}

ordered_json write_memory(const MemoryParts& memory) {
  return {{"weights_bytes", memory.weights.value()},
          {"gradients_bytes", memory.gradients.value()},
          {"optimizer_bytes", memory.optimizer.value()},
          {"activations_bytes", memory.activations.value()},
          {"logits_bytes", memory.logits.value()},
          {"buffers_bytes", memory.buffers.value()},
          {"reserve_bytes", memory.reserve.value()},
          {"total_bytes", memory.total().value()}};
}

ordered_json write_stage(const StagePlan& stage) {
  ordered_json load = write_load(stage.load);
  load["total_s"] = stage.load.total().value();
  return {{"layers",
           {{"blocks", stage.blocks},
            {"embedding", stage.embedding},
            {"head", stage.head},
            {"first_block", stage.first_block}}},
          {"chunks", ordered_json(stage.chunk_blocks)},
          {"devices", {{"first", stage.first_device}, {"count", stage.device_count}}},
          {"zero", stage.option.zero},
          {"shard_group", stage.option.shard_group},
          {"recompute", write_recompute(stage.option)},
          {"memory", write_memory(stage.memory)},
          {"load", std::move(load)}};
}

ordered_json write_communication(const Communication& communication) {
  return {{"what", communication.what},
          {"level", communication.level},
          {"form", communication.form},
          {"bytes", communication.bytes.value()},
          {"exposed_s", communication.exposed.value()},
          {"hidden_s", communication.hidden.value()}};
}

template <class Items, class Write>
ordered_json write_list(const Items& items, const Write& write) {
  ordered_json list = ordered_json::array();
  for (const auto& item : items) list.push_back(write(item));
  return list;
}

ordered_json write_placement(const Plan& plan) {
  ordered_json list = ordered_json::array();
  for (const StagePlan& stage : plan.stages)
    list.push_back({{"stage", list.size()},
                    {"first_device", stage.first_device},
                    {"device_count", stage.device_count}});
  return list;
}

ordered_json write_search(const SearchCounters& search) {
  return {{"proved_optimal", search.proved_optimal},
          {"gap", search.gap},
          {"candidates", search.candidates},
          {"pruned", search.pruned}};
}

void write_plan(const Plan& plan, std::int64_t devices, ordered_json& document) {
  const PlanSummary& summary = plan.summary;
  document["config"] = write_config(summary, devices);
  document["config"]["devices_used"] = plan.devices_used;
  document["config"]["devices_idle"] = plan.devices_idle;
  document["step"] = write_step(plan.step);
  document["throughput"] = {
      {"tokens_per_s", summary.tokens_per_s},
      {"tokens_per_s_per_device", summary.tokens_per_s / static_cast<double>(plan.devices_used)},
      {"mfu", summary.mfu},
      {"hfu", plan.hfu}};
  document["memory"] = {{"worst_stage", plan.worst_stage},
                        {"peak_bytes", summary.peak.value()},
                        {"usable_bytes", summary.usable.value()},
                        {"headroom_bytes", (summary.usable - summary.peak).value()}};
  document["days"] = known(summary.days);
  document["cost"] = known(summary.cost);
  document["stages"] = write_list(plan.stages, write_stage);
  document["placement"] = write_placement(plan);
  document["communication"] = write_list(plan.communication, write_communication);
  document["alternatives"] = write_list(
      plan.alternatives, [&](const PlanSummary& other) { return write_summary(other, devices); });
}

ordered_json write_change(const Infeasible::Change& change, std::int64_t devices) {
  const bool resized = change.pointer == "/cluster/devices";
  const std::int64_t available = resized ? static_cast<std::int64_t>(change.value) : devices;
  return {{"change", change.change},
          {"pointer", change.pointer},
          {"value", change.value},
          {"summary", write_summary(change.summary, available)}};
}

void write_infeasible(const Infeasible& infeasible, std::int64_t devices, ordered_json& document) {
  document["reason"] = {{"stage", infeasible.stage},
                        {"part", infeasible.part},
                        {"bytes_over", infeasible.over.value()},
                        {"text", infeasible.text}};
  document["nearest"] = write_list(infeasible.nearest, [&](const Infeasible::Change& change) {
    return write_change(change, devices);
  });
}

}  // namespace

ordered_json write_summary(const PlanSummary& summary, std::int64_t devices) {
  return {{"config", write_config(summary, devices)},
          {"step_s", summary.step.value()},
          {"tokens_per_s", summary.tokens_per_s},
          {"mfu", summary.mfu},
          {"peak_bytes", summary.peak.value()},
          {"usable_bytes", summary.usable.value()},
          {"days", known(summary.days)},
          {"cost", known(summary.cost)}};
}

ordered_json write_outcome(const Request& request, const PlanOutcome& outcome) {
  ordered_json document = {{"format", "nestplan.plan/1"}};
  document["request"] = write_request(request);
  document["feasible"] = outcome.feasible;
  if (outcome.cancelled && !outcome.feasible) document["cancelled"] = true;
  if (outcome.feasible)
    write_plan(outcome.plan, request.cluster.devices, document);
  else
    write_infeasible(outcome.infeasible, request.cluster.devices, document);
  document["search"] = write_search(outcome.search);
  if (outcome.feasible) document["warnings"] = ordered_json(outcome.plan.warnings);
  return document;
}

}  // namespace nestplan
