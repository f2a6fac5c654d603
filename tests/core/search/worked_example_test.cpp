// One job computed by hand from the published equations: Llama 3 70B on 512 H100 (tp 8 with
// sequence parallelism, pp 4, vpp 5, dp 16, 64 micro-batches of one sequence of 8,192 tokens),
// Megatron-Core with tensor-parallel overlap, no recompute. The hand values carry 4 to 5 digits and
// constants rounded to 3, hence the tolerances.
#include <gtest/gtest.h>

#include "cost/collectives.h"
#include "cost/compute.h"
#include "cost/stage_cost.h"
#include "search/leaf.h"

namespace nestplan {
namespace {

Job llama_3_70b_on_512_h100() {
  ModelSpec model;
  model.layers = 80;
  model.hidden_size = 8192;
  model.heads = 64;
  model.kv_heads = 8;
  model.head_dim = 128;
  model.ffn_size = 28672;
  model.vocab_size = 128256;
  model.max_sequence_length = 8192;
  Cluster cluster;
  cluster.devices = 512;
  cluster.accelerator.memory = Bytes(85e9);
  cluster.accelerator.memory_bandwidth = BytesPerSecond(3.35e12);
  cluster.accelerator.memory_efficiency = 0.8;
  cluster.accelerator.compute = FlopsPerSecond(989e12);
  cluster.accelerator.matmul_efficiency = 0.675;
  cluster.accelerator.attention_efficiency = 0.613;
  cluster.accelerator.cores = 132;
  Level node;
  node.name = "node";
  node.arity = 8;
  node.bandwidth = BytesPerSecond(450e9);
  node.efficiency = 0.75;
  node.latency = Seconds(15e-6);
  Level fabric = node;
  fabric.name = "fabric";
  fabric.arity = 0;
  fabric.bandwidth = BytesPerSecond(50e9);
  fabric.efficiency = 0.95;
  cluster.levels = {node, fabric};
  Stack stack;
  stack.zero = {0, 1};
  stack.max_vpp = 20;
  stack.orders = {"tp-cp-ep-dp-pp"};
  stack.elementwise_factor = 1.114;
  stack.tp_exposed = 0.202;
  stack.kernel_launch = Seconds(3e-6);
  stack.host_per_layer = Seconds(0.77e-3);
  stack.collective_launch_across = Seconds(0.45e-3);
  stack.fixed_per_step = Seconds(19.4e-3);
  stack.fragmentation = 1.08;
  stack.reserve = Bytes(0.4 * kGibi);
  Training training;
  training.global_batch_sequences = 1024;
  training.sequence_length = 8192;
  return {model, build_chain(model), cluster.accelerator, build_network(cluster), training, stack};
}

Config config() {
  Config c;
  c.tp = 8;
  c.sp = true;
  c.dp = 16;
  c.pp = 4;
  c.vpp = 5;
  c.schedule = Schedule::kInterleaved;
  return c;
}

constexpr double kMicro = 1e-6;

TEST(WorkedExample, MatmulsTakeTheirRooflineTime) {
  const Job job = llama_3_70b_on_512_h100();
  const auto check = [&](MatmulShape shape, double forward, double backward) {
    const ForwardBackward time = matmul_time(job.accelerator, job.stack, shape);
    EXPECT_NEAR(time.forward.value() / (forward * kMicro), 1, 2e-3);
    EXPECT_NEAR(time.backward.value() / (backward * kMicro), 1, 2e-3);
  };
  check({8192, 1280, 8192, 1}, 311.9, 626.5);
  check({8192, 8192, 1024, 1}, 247.5, 505.3);
  check({8192, 7168, 8192, 1}, 1549.3, 3170.8);
  check({8192, 8192, 3584, 1}, 789.9, 1615.9);
}

TEST(WorkedExample, AttentionIsHalvedByTheCausalMask) {
  const Job job = llama_3_70b_on_512_h100();
  const ForwardBackward time = attention_time(job.accelerator, 8192, 8192, 8, 128, 128, true);
  EXPECT_NEAR(time.forward.value() / (226.8 * kMicro), 1, 2e-3);
  EXPECT_NEAR(time.backward.value() / (567.1 * kMicro), 1, 2e-3);
}

TEST(WorkedExample, LayerSumsToTheHandValue) {
  const Job job = llama_3_70b_on_512_h100();
  const Config c = config();
  const auto layers = layer_costs(job, c, layer_links(c, job.network));
  const RecomputeCost& block = layers[1].under(Recompute::kNone);
  EXPECT_NEAR(block.parts.tensor_parallel.value() / (2 * 317.6 * kMicro), 1, 2e-3);
  EXPECT_NEAR(block.forward.value() / (3601.7 * kMicro), 1, 2e-3);
  EXPECT_NEAR(block.backward.value() / (7120.8 * kMicro), 1, 2e-3);
  EXPECT_NEAR(block.load.value() / (10722.5 * kMicro), 1, 2e-3);
  const RecomputeCost& head = layers[2].under(Recompute::kNone);
  EXPECT_NEAR(head.load.value() / (11127.7 * kMicro), 1, 2e-3);
}

TEST(WorkedExample, StepAgreesWithTheHandValue) {
  const Job job = llama_3_70b_on_512_h100();
  const Config c = config();
  const ChainCounts chain(job.chain);
  FixedDegrees fixed;
  fixed.zero = 1;
  fixed.recompute = Recompute::kNone;
  fixed.stage_blocks = {20, 20, 20, 20};
  const auto solution = solve_leaf({&job, &chain, &fixed}, c,
                                   layer_costs(job, c, layer_links(c, job.network)), Seconds(1e9));
  ASSERT_TRUE(solution.has_value());
  // By hand 15.105 s. Ours sends one message less at either end of the pipeline and counts the
  // embedding's and the head's time among what hides gradients.
  EXPECT_NEAR(solution->step.value() / 15.105, 1, 3e-3);
}

TEST(WorkedExample, GradientReduceScatterCrossesOnlyTheFabric) {
  // dp 16 with stride 8 has one member in each node: 15/16 of the bytes at 47.5 GB/s.
  const Job job = llama_3_70b_on_512_h100();
  const Members members = members_of(layout_groups(config()).data, job.network, 512);
  EXPECT_EQ(members.within[0], 1);
  EXPECT_EQ(members.size, 16);
  const Affine cost = hierarchical_reduce_scatter(job.network, members);
  EXPECT_DOUBLE_EQ(cost.seconds_per_byte, (1 - 1.0 / 16) / 47.5e9);
  EXPECT_DOUBLE_EQ(cost.latency.value(), 4 * 15e-6);
}

TEST(WorkedExample, ActivationsFollowTheClosedForm) {
  // Per token: 8h/tp elementwise, 2(2 n_q + 2 n_kv)d/tp + 4 n_q/tp attention, 2(m + 1) f/tp MLP:
  // 8192 (8*8192 + 2*144*128 + 4*64 + 6*28672)/8 = 0.2813e9 bytes.
  const Job job = llama_3_70b_on_512_h100();
  const Config c = config();
  const auto layers = layer_costs(job, c, layer_links(c, job.network));
  const double by_hand = 8192.0 * (8 * 8192 + 2 * 144 * 128 + 4 * 64 + 6 * 28672) / 8;
  EXPECT_DOUBLE_EQ(layers[1].under(Recompute::kNone).saved.value(), by_hand);
  EXPECT_DOUBLE_EQ(layers[1].under(Recompute::kFull).saved.value(), 2.0 * 8192 * 8192 / 8);
}

TEST(WorkedExample, StateBytesPerParameterFollowTheZeroStage) {
  const Job job = llama_3_70b_on_512_h100();
  const Config c = config();
  const StageContext context =
      make_stage_context(job, c, layer_costs(job, c, layer_links(c, job.network)));
  StageContent content;
  content.dense_parameters = 1e9;
  const auto state = [&](std::int64_t zero) {
    StageOption option;
    option.zero = zero;
    option.shard_group = 16;
    const MemoryParts m = stage_memory(context, content, option, 1);
    return (m.weights + m.gradients + m.optimizer).value() / 1e9;
  };
  EXPECT_DOUBLE_EQ(state(0), 18);  // 2 + 4 + 12
  EXPECT_DOUBLE_EQ(state(1), 6 + 12.0 / 16);
  EXPECT_DOUBLE_EQ(state(2), 2 + 16.0 / 16);
  EXPECT_DOUBLE_EQ(state(3), 18.0 / 16);
}

}  // namespace
}  // namespace nestplan
