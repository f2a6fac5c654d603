// The documents of a plan and of its absence: exact keys in order, and totals that are sums.
#include "io/write.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nestplan {
namespace {

using nlohmann::ordered_json;
using Keys = std::vector<std::string>;

Keys keys(const ordered_json& object) {
  Keys found;
  for (const auto& [key, value] : object.items()) found.push_back(key);
  return found;
}

Request sample_request() {
  Request request;
  request.model.name = "sample";
  request.cluster.devices = 9;
  return request;
}

LoadParts sample_load() {
  return {.forward = Seconds(1),
          .backward = Seconds(2),
          .recompute = Seconds(0.5),
          .tensor_parallel = Seconds(0.25),
          .context_parallel = Seconds(0.125),
          .expert_parallel = Seconds(0.5),
          .pipeline = Seconds(0.25),
          .data_parallel = Seconds(0.125),
          .host = Seconds(0.25)};
}

PlanOutcome sample_outcome() {
  PlanOutcome outcome;
  outcome.feasible = true;
  Plan& plan = outcome.plan;
  plan.summary.config.tp = 2;
  plan.summary.config.dp = 2;
  plan.summary.config.pp = 2;
  plan.summary.option = {
      .zero = 1, .shard_group = 2, .recompute = Recompute::kFull, .recompute_layers = 3};
  plan.summary.micro_batches = 4;
  plan.summary.tokens_per_s = 800;
  plan.summary.peak = Bytes(60);
  plan.summary.usable = Bytes(80);
  plan.summary.days = 12;
  plan.devices_used = 8;
  plan.devices_idle = 1;
  plan.step = {.steady = sample_load(),
               .bubble = Seconds(1),
               .growth = Seconds(0.5),
               .data_parallel_sync = Seconds(0.25),
               .tied_embedding_sync = Seconds(0.125),
               .optimizer = Seconds(0.5),
               .fixed = Seconds(0.125)};
  plan.summary.step = plan.step.total();
  StagePlan stage;
  stage.blocks = 5;
  stage.embedding = true;
  stage.chunk_blocks = {3, 2};
  stage.device_count = 4;
  stage.memory = {.weights = Bytes(1),
                  .gradients = Bytes(2),
                  .optimizer = Bytes(4),
                  .activations = Bytes(8),
                  .logits = Bytes(16),
                  .buffers = Bytes(32),
                  .reserve = Bytes(64)};
  stage.load = sample_load();
  plan.stages = {stage, stage};
  plan.stages[1].first_device = 4;
  plan.communication.resize(1);
  plan.alternatives = {plan.summary};
  plan.warnings = {"careful"};
  return outcome;
}

TEST(WriteOutcome, APlanHasTheseKeysInThisOrder) {
  const ordered_json plan = write_outcome(sample_request(), sample_outcome());
  EXPECT_EQ(keys(plan), (Keys{"format", "request", "feasible", "config", "step", "throughput",
                              "memory", "days", "cost", "stages", "placement", "communication",
                              "alternatives", "search", "warnings"}));
  EXPECT_EQ(keys(plan["config"]),
            (Keys{"tp", "sp", "cp", "ep", "etp", "dp", "pp", "vpp", "mbs", "micro_batches", "zero",
                  "recompute", "order", "schedule", "devices_used", "devices_idle"}));
  EXPECT_EQ(
      keys(plan["step"]["parts"]),
      (Keys{"forward_s", "backward_s", "recompute_s", "tensor_parallel_s", "context_parallel_s",
            "expert_parallel_s", "pipeline_s", "data_parallel_s", "host_s", "bubble_s", "growth_s",
            "data_parallel_sync_s", "tied_embedding_sync_s", "optimizer_s", "fixed_s"}));
  EXPECT_EQ(keys(plan["memory"]),
            (Keys{"worst_stage", "peak_bytes", "usable_bytes", "headroom_bytes"}));
  EXPECT_EQ(keys(plan["stages"][0]), (Keys{"layers", "chunks", "devices", "zero", "shard_group",
                                           "recompute", "memory", "load"}));
  EXPECT_EQ(keys(plan["communication"][0]),
            (Keys{"what", "level", "form", "bytes", "exposed_s", "hidden_s"}));
  EXPECT_EQ(keys(plan["alternatives"][0]), (Keys{"config", "step_s", "tokens_per_s", "mfu",
                                                 "peak_bytes", "usable_bytes", "days", "cost"}));
  EXPECT_EQ(keys(plan["search"]), (Keys{"proved_optimal", "gap", "candidates", "pruned"}));
}

double sum_of_parts(const ordered_json& parts) {
  double sum = 0;
  for (const auto& [key, part] : parts.items())
    if (!key.starts_with("total_")) sum += part.get<double>();
  return sum;
}

// All parts are multiples of 1/8, so their sums are exact in any order.
TEST(WriteOutcome, PartsSumToTheirTotals) {
  const ordered_json plan = write_outcome(sample_request(), sample_outcome());
  EXPECT_EQ(plan["step"]["total_s"], 7.5);  // steady 5, the rest 2.5
  EXPECT_EQ(sum_of_parts(plan["step"]["parts"]), 7.5);
  EXPECT_EQ(plan["alternatives"][0]["step_s"], 7.5);
  for (const ordered_json& stage : plan["stages"]) {
    EXPECT_EQ(sum_of_parts(stage["memory"]), stage["memory"]["total_bytes"]);
    EXPECT_EQ(sum_of_parts(stage["load"]), stage["load"]["total_s"]);
  }
}

TEST(WriteOutcome, ValuesAreThoseOfThePlan) {
  const ordered_json plan = write_outcome(sample_request(), sample_outcome());
  EXPECT_EQ(plan["step"]["low_s"], 7.5 * 0.86);
  EXPECT_EQ(plan["step"]["high_s"], 7.5 * 1.14);
  EXPECT_EQ(plan["config"]["recompute"].dump(), R"({"kind":"full","layers":3})");
  EXPECT_EQ(plan["config"]["order"], "tp-cp-ep-dp-pp");
  EXPECT_EQ(plan["config"]["devices_idle"], 1);
  EXPECT_EQ(plan["throughput"]["tokens_per_s_per_device"], 100.0);
  EXPECT_EQ(plan["memory"]["headroom_bytes"], 20.0);
  EXPECT_EQ(plan["days"], 12.0);
  EXPECT_TRUE(plan["cost"].is_null());
  EXPECT_EQ(plan["stages"][0]["layers"].dump(),
            R"({"blocks":5,"embedding":true,"head":false,"first_block":0})");
  EXPECT_EQ(plan["stages"][0]["chunks"].dump(), "[3,2]");
  EXPECT_EQ(plan["stages"][1]["devices"].dump(), R"({"first":4,"count":4})");
  EXPECT_EQ(plan["placement"][1].dump(), R"({"stage":1,"first_device":4,"device_count":4})");
  EXPECT_EQ(plan["warnings"].dump(), R"(["careful"])");
}

TEST(WriteOutcome, WithoutAPlanItSaysWhyAndWhatWould) {
  PlanOutcome outcome;
  outcome.infeasible.stage = 1;
  outcome.infeasible.part = "optimizer state";
  outcome.infeasible.over = Bytes(5);
  outcome.infeasible.text = "too big";
  outcome.infeasible.nearest = {
      {.change = "use 16", .pointer = "/cluster/devices", .value = 16, .summary = {}}};
  const ordered_json document = write_outcome(sample_request(), outcome);
  EXPECT_EQ(keys(document), (Keys{"format", "request", "feasible", "reason", "nearest", "search"}));
  EXPECT_EQ(document["reason"].dump(),
            R"({"stage":1,"part":"optimizer state","bytes_over":5.0,"text":"too big"})");
  const ordered_json& change = document["nearest"][0];
  EXPECT_EQ(keys(change), (Keys{"change", "pointer", "value", "summary"}));
  // Idle devices are those of the cluster after the change.
  EXPECT_EQ(change["summary"]["config"]["devices_idle"], 15);
}

TEST(WriteOutcome, AStoppedSearchWithoutAPlanSaysSo) {
  PlanOutcome outcome;
  outcome.cancelled = true;
  EXPECT_EQ(write_outcome(sample_request(), outcome)["cancelled"], true);
}

}  // namespace
}  // namespace nestplan
