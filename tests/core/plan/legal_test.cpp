#include "plan/legal.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nestplan {
namespace {

// Qwen2.5 7B: 28 heads, 4 key-value heads, 28 blocks.
Request qwen_on_64() {
  Request r;
  r.model.layers = 28;
  r.model.hidden_size = 3584;
  r.model.heads = 28;
  r.model.kv_heads = 4;
  r.model.head_dim = 128;
  r.model.ffn_size = 18944;
  r.model.vocab_size = 152064;
  r.model.max_sequence_length = 8192;
  Level level;
  level.name = "node";
  level.arity = 0;
  level.bandwidth = BytesPerSecond(1e11);
  r.cluster.levels = {level};
  r.cluster.devices = 64;
  r.training.global_batch_sequences = 96;
  r.training.sequence_length = 4096;
  r.stack.name = "test";
  r.stack.zero = {0, 1};
  r.stack.kv_replication = false;
  r.stack.orders = {"tp-cp-ep-dp-pp"};
  return r;
}

const DegreeValue& value_of(const std::vector<Degree>& degrees, const std::string& name,
                            std::int64_t value) {
  for (const Degree& degree : degrees) {
    if (degree.name != name) continue;
    for (const DegreeValue& v : degree.values) {
      if (v.value == value) return v;
    }
  }
  throw std::out_of_range(name + " " + std::to_string(value));
}

TEST(LegalDegrees, TwentyEightHeadsDoNotSplitInEight) {
  const auto degrees = legal_degrees(qwen_on_64());
  EXPECT_EQ(value_of(degrees, "tp", 4).reason, "");
  EXPECT_EQ(value_of(degrees, "tp", 8).reason, "28 attention heads are not divisible by 8");
  EXPECT_EQ(value_of(degrees, "tp", 14).reason, "4 key-value heads are not divisible by 14");
}

TEST(LegalDegrees, KeyValueHeadsMayBeReplicatedWhereTheStackCan) {
  Request request = qwen_on_64();
  request.model.heads = 32;
  EXPECT_EQ(value_of(legal_degrees(request), "tp", 8).reason,
            "4 key-value heads are not divisible by 8");
  request.stack.kv_replication = true;
  EXPECT_EQ(value_of(legal_degrees(request), "tp", 8).reason, "");
}

TEST(LegalDegrees, DenseModelsHaveNoExpertsToSpread) {
  Request request = qwen_on_64();
  EXPECT_EQ(value_of(legal_degrees(request), "ep", 1).reason, "");
  request.model.moe.experts = 8;
  request.model.moe.top_k = 2;
  request.model.moe.expert_ffn_size = 1024;
  const auto degrees = legal_degrees(request);
  EXPECT_EQ(value_of(degrees, "ep", 8).reason, "");
}

TEST(LegalDegrees, ZeroStagesAreTheStacksOwn) {
  const auto degrees = legal_degrees(qwen_on_64());
  EXPECT_EQ(value_of(degrees, "zero", 1).reason, "");
  EXPECT_EQ(value_of(degrees, "zero", 3).reason, "test does not offer ZeRO 3");
}

}  // namespace
}  // namespace nestplan
