#include "plan/planner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/issue.h"

namespace nestplan {
namespace {

// A 1.3 B model on up to 64 devices of 16 GB, two levels.
Request small_request(std::int64_t devices) {
  Request r;
  r.model.layers = 24;
  r.model.hidden_size = 2048;
  r.model.heads = 16;
  r.model.kv_heads = 16;
  r.model.head_dim = 128;
  r.model.ffn_size = 5504;
  r.model.vocab_size = 32000;
  r.model.max_sequence_length = 4096;
  r.cluster.accelerator.memory = Bytes(16e9);
  r.cluster.accelerator.memory_bandwidth = BytesPerSecond(1e12);
  r.cluster.accelerator.memory_efficiency = 0.8;
  r.cluster.accelerator.compute = FlopsPerSecond(1e14);
  r.cluster.accelerator.matmul_efficiency = 0.7;
  r.cluster.accelerator.attention_efficiency = 0.4;
  Level node;
  node.name = "node";
  node.arity = 4;
  node.bandwidth = BytesPerSecond(1e11);
  Level fabric = node;
  fabric.name = "fabric";
  fabric.arity = 16;
  fabric.bandwidth = BytesPerSecond(1e10);
  r.cluster.levels = {node, fabric};
  r.cluster.devices = devices;
  r.training.global_batch_sequences = 64;
  r.training.sequence_length = 4096;
  r.stack.name = "test";
  r.stack.zero = {0, 1};
  r.stack.max_vpp = 4;
  r.stack.orders = {"tp-cp-ep-dp-pp"};
  r.stack.fragmentation = 1.05;
  return r;
}

TEST(Plan, ItsStagesHoldEveryBlockOnceAndFit) {
  const Request request = small_request(16);
  const PlanOutcome outcome = plan(request);
  ASSERT_TRUE(outcome.feasible);
  EXPECT_TRUE(outcome.search.proved_optimal);
  std::int64_t blocks = 0;
  for (const StagePlan& stage : outcome.plan.stages) {
    blocks += stage.blocks;
    EXPECT_LE(stage.memory.total(), request.cluster.accelerator.memory);
  }
  EXPECT_EQ(blocks, 24);
  EXPECT_TRUE(outcome.plan.stages.front().embedding);
  EXPECT_TRUE(outcome.plan.stages.back().head);
  EXPECT_EQ(outcome.plan.devices_used + outcome.plan.devices_idle, 16);
}

TEST(Plan, EvaluatingItsOwnSettingsGivesItsStep) {
  Request request = small_request(16);
  const Plan best = plan(request).plan;
  const Config& c = best.summary.config;
  Pins& pins = request.search.pins;
  pins.tp = c.tp;
  pins.cp = c.cp;
  pins.dp = c.dp;
  pins.pp = c.pp;
  pins.vpp = c.vpp;
  pins.mbs = c.mbs;
  const PlanOutcome outcome = evaluate(request);
  ASSERT_TRUE(outcome.feasible);
  EXPECT_EQ(outcome.plan.step.total(), best.step.total());
}

TEST(Plan, WhatDoesNotFitNamesChangesThatDo) {
  const Request request = small_request(1);
  const PlanOutcome outcome = plan(request);
  ASSERT_FALSE(outcome.feasible);
  EXPECT_TRUE(outcome.search.proved_optimal);
  EXPECT_GT(outcome.infeasible.over, Bytes(0));
  ASSERT_FALSE(outcome.infeasible.nearest.empty());
  for (const Infeasible::Change& change : outcome.infeasible.nearest) {
    Request changed = request;
    if (change.pointer == "/cluster/devices") {
      changed.cluster.devices = static_cast<std::int64_t>(change.value);
      Request fewer = changed;
      --fewer.cluster.devices;
      EXPECT_FALSE(plan(fewer).feasible) << "one device fewer must not fit";
    } else if (change.pointer == "/training/sequence_length") {
      changed.training.sequence_length = static_cast<std::int64_t>(change.value);
    } else {
      ASSERT_EQ(change.pointer, "/cluster/accelerator/memory_bytes");
      changed.cluster.accelerator.memory = Bytes(change.value);
    }
    const PlanOutcome after = plan(changed);
    ASSERT_TRUE(after.feasible) << change.change;
    EXPECT_EQ(after.plan.summary.config, change.summary.config);
  }
}

TEST(PlanTask, MayBeStoppedAtAnyTime) {
  PlanTask task(small_request(64));
  PlanTask::Progress progress = task.step(1);
  EXPECT_FALSE(progress.done);
  EXPECT_TRUE(task.result().cancelled);
  while (!progress.has_plan) progress = task.step(1);
  const PlanOutcome early = task.result();
  EXPECT_TRUE(early.feasible);
  while (!progress.done) progress = task.step(16);
  EXPECT_LE(task.result().plan.step.total(), early.plan.step.total());
  EXPECT_EQ(progress.gap, 0);
}

TEST(Plan, EveryIllegalPinIsAFaultOfItsOwn) {
  Request request = small_request(16);
  request.search.pins.tp = 3;
  request.search.pins.mbs = 7;
  request.search.pins.zero = 3;
  try {
    validate(request);
    FAIL();
  } catch (const InputError& error) {
    std::vector<std::string> paths;
    for (const Issue& issue : error.issues()) paths.push_back(issue.path);
    EXPECT_EQ(paths, (std::vector<std::string>{"/search/pins/tp", "/search/pins/mbs",
                                               "/search/pins/zero"}));
  }
}

TEST(Plan, IdleDevicesAreReportedWhenTheCountIsOdd) {
  const PlanOutcome outcome = plan(small_request(13));
  ASSERT_TRUE(outcome.feasible);
  // Whole nodes of four only: 12 work.
  EXPECT_LE(outcome.plan.devices_used, 12);
  EXPECT_EQ(outcome.plan.devices_used + outcome.plan.devices_idle, 13);
}

}  // namespace
}  // namespace nestplan
