#include "model/validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "model/layers.h"

namespace nestplan {
namespace {

ModelSpec good() {
  ModelSpec spec;
  spec.layers = 32;
  spec.hidden_size = 4096;
  spec.heads = 32;
  spec.kv_heads = 8;
  spec.head_dim = 128;
  spec.ffn_size = 14336;
  spec.vocab_size = 128256;
  spec.max_sequence_length = 8192;
  return spec;
}

bool has(const ModelSpec& spec, const std::string& path, const std::string& code) {
  const std::vector<Issue> issues = validate_model(spec);
  return std::any_of(issues.begin(), issues.end(),
                     [&](const Issue& issue) { return issue.path == path && issue.code == code; });
}

TEST(ValidateModel, AcceptsAGoodModel) { EXPECT_TRUE(validate_model(good()).empty()); }

TEST(ValidateModel, ReportsEveryFaultAtOnce) {
  const std::vector<Issue> issues = validate_model(ModelSpec{});
  std::vector<std::string> paths;
  for (const Issue& issue : issues) paths.push_back(issue.path);
  for (const char* key : {"layers", "hidden_size", "heads", "kv_heads", "head_dim", "ffn_size",
                          "vocab_size", "max_sequence_length"}) {
    EXPECT_TRUE(std::find(paths.begin(), paths.end(), std::string("/model/") + key) != paths.end())
        << key;
  }
}

TEST(ValidateModel, KvHeadsMustDivideHeads) {
  ModelSpec spec = good();
  spec.kv_heads = 5;
  EXPECT_TRUE(has(spec, "/model/kv_heads", "not-a-divisor"));
}

TEST(ValidateModel, LatentAttentionMustBeComplete) {
  ModelSpec spec = good();
  spec.mla.v_head_dim = 128;
  EXPECT_TRUE(has(spec, "/model/mla/kv_lora_rank", "out-of-range"));
  EXPECT_TRUE(has(spec, "/model/mla/qk_nope_head_dim", "out-of-range"));
  spec.mla = {
      .kv_lora_rank = 512, .qk_nope_head_dim = 128, .qk_rope_head_dim = 64, .v_head_dim = 8};
  EXPECT_TRUE(has(spec, "/model/head_dim", "inconsistent"));
  EXPECT_TRUE(has(spec, "/model/kv_heads", "inconsistent"));
  spec.head_dim = 192;
  spec.kv_heads = 32;
  EXPECT_TRUE(validate_model(spec).empty());
}

TEST(ValidateModel, MixtureBounds) {
  ModelSpec spec = good();
  spec.moe = {.experts = 8,
              .top_k = 9,
              .expert_ffn_size = 0,
              .first_dense_layers = 33,
              .every_n_layers = 0};
  EXPECT_TRUE(has(spec, "/model/moe/top_k", "out-of-range"));
  EXPECT_TRUE(has(spec, "/model/moe/expert_ffn_size", "out-of-range"));
  EXPECT_TRUE(has(spec, "/model/moe/first_dense_layers", "out-of-range"));
  EXPECT_TRUE(has(spec, "/model/moe/every_n_layers", "out-of-range"));
  spec.moe = {.top_k = 2};
  EXPECT_TRUE(has(spec, "/model/moe/experts", "out-of-range"));
}

TEST(ValidateModel, DenseWidthIsNeededOnlyByDenseBlocks) {
  ModelSpec spec = good();
  spec.ffn_size = 0;
  EXPECT_TRUE(has(spec, "/model/ffn_size", "out-of-range"));
  spec.moe = {.experts = 8, .top_k = 2, .expert_ffn_size = 100};
  EXPECT_TRUE(validate_model(spec).empty());
  spec.moe.first_dense_layers = 1;
  EXPECT_TRUE(has(spec, "/model/ffn_size", "out-of-range"));
}

TEST(ValidateModel, AWindowThatIsNeverUsedIsAFault) {
  ModelSpec spec = good();
  spec.sliding_window = 4096;
  EXPECT_TRUE(has(spec, "/model/full_attention_interval", "no-effect"));
  spec.full_attention_interval = 0;
  EXPECT_TRUE(validate_model(spec).empty());
}

TEST(ValidateModel, SequenceFitsTheLearnedPositions) {
  ModelSpec spec = good();
  spec.learned_positions = 1024;
  EXPECT_TRUE(has(spec, "/model/max_sequence_length", "out-of-range"));
}

TEST(ValidateModel, RefusesWhatWouldOverflow) {
  ModelSpec spec = good();
  spec.hidden_size = spec.ffn_size = spec.vocab_size = 100'000'000;
  EXPECT_TRUE(has(spec, "/model/hidden_size", "too-large"));
}

// Whatever passes can be counted, and its counts are positive: no overflow (the sanitizers watch).
TEST(ValidateModel, EverythingAcceptedCanBeCounted) {
  std::mt19937_64 random(7);
  const std::vector<std::int64_t> values = {-1,
                                            0,
                                            1,
                                            2,
                                            3,
                                            8,
                                            64,
                                            4096,
                                            100'000,
                                            100'000'000,
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min()};
  const auto pick = [&] { return values[random() % values.size()]; };
  const auto mostly = [&](std::int64_t usual) { return random() % 4 == 0 ? pick() : usual; };
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    ModelSpec spec = good();
    spec.layers = mostly(4);
    spec.hidden_size = mostly(64);
    spec.heads = mostly(8);
    spec.kv_heads = mostly(8);
    spec.head_dim = mostly(3);
    spec.ffn_size = mostly(64);
    spec.vocab_size = mostly(64);
    spec.learned_positions = mostly(0);
    spec.norms_per_layer = mostly(2);
    if (random() % 2 == 0) {
      spec.moe = {.experts = mostly(8), .top_k = mostly(2), .expert_ffn_size = mostly(64)};
      spec.moe.first_dense_layers = mostly(0);
      spec.moe.every_n_layers = mostly(1);
    }
    if (random() % 2 == 0) spec.mla = {mostly(8), mostly(8), mostly(2), mostly(1), mostly(4)};
    if (!validate_model(spec).empty()) continue;
    ++accepted;
    const ModelParameters counted = count_parameters(spec);
    EXPECT_GT(counted.active, 0);
    EXPECT_GE(counted.total, counted.active);
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace nestplan
