#include "model/layers.h"

#include <gtest/gtest.h>

namespace nestplan {
namespace {

// A model small enough to count by hand.
ModelSpec tiny() {
  ModelSpec spec;
  spec.layers = 4;
  spec.hidden_size = 8;
  spec.heads = 4;
  spec.kv_heads = 2;
  spec.head_dim = 3;
  spec.ffn_size = 10;
  spec.vocab_size = 20;
  spec.max_sequence_length = 16;
  return spec;
}

const LayerType& type_of(const LayerChain& chain, std::size_t layer) {
  return chain.types[static_cast<std::size_t>(chain.expanded()[layer])];
}

TEST(LayerChain, DenseModelIsEmbeddingBlocksHead) {
  const LayerChain chain = build_chain(tiny());
  EXPECT_EQ(chain.size(), 6);
  ASSERT_EQ(chain.runs.size(), 3U);
  EXPECT_EQ(chain.runs[1].count, 4);
  EXPECT_EQ(type_of(chain, 0).kind, LayerKind::kEmbedding);
  EXPECT_EQ(type_of(chain, 1).kind, LayerKind::kBlock);
  EXPECT_EQ(type_of(chain, 5).kind, LayerKind::kHead);
}

TEST(LayerChain, DenseBlockByHand) {
  const LayerType block = type_of(build_chain(tiny()), 1);
  ASSERT_EQ(block.matmuls.size(), 4U);
  EXPECT_EQ(block.matmuls[0].name, "qkv");
  EXPECT_EQ(block.matmuls[0].out, (4 + 2 * 2) * 3);
  EXPECT_EQ(block.matmuls[1].in, 4 * 3);
  EXPECT_EQ(block.matmuls[1].shard, Shard::kRow);
  EXPECT_EQ(block.matmuls[2].out, 2 * 10);
  EXPECT_EQ(block.matmuls[3].in, 10);
  // qkv 8*24 + output 12*8 + gate and up 8*20 + down 10*8 = 528; two norms of 8.
  EXPECT_EQ(block.parameters.sharded, 528);
  EXPECT_EQ(block.parameters.replicated, 16);
  EXPECT_EQ(block.active_parameters, 544);
}

TEST(LayerChain, BiasesFollowTheSplitOfTheirMatrix) {
  ModelSpec spec = tiny();
  spec.qkv_bias = spec.output_bias = spec.mlp_bias = spec.attention_sinks = true;
  const LayerType block = type_of(build_chain(spec), 1);
  // Column biases are split: qkv 24, gate and up 20; and one sink per head, 4.
  EXPECT_EQ(block.parameters.sharded, 528 + 24 + 20 + 4);
  // Row biases are not: attention output 8, down 8.
  EXPECT_EQ(block.parameters.replicated, 16 + 8 + 8);
}

TEST(LayerChain, NormsByKind) {
  ModelSpec spec = tiny();
  spec.norm = Norm::kLayerNorm;
  spec.norms_per_layer = 1;
  EXPECT_EQ(type_of(build_chain(spec), 1).parameters.replicated, 16);
  spec.norm = Norm::kLayerNormNoBias;
  EXPECT_EQ(type_of(build_chain(spec), 1).parameters.replicated, 8);
  spec.qk_norm = QkNorm::kPerHead;  // two norms of 3
  EXPECT_EQ(type_of(build_chain(spec), 1).parameters.replicated, 8 + 6);
  spec.qk_norm = QkNorm::kFullWidth;  // 4 query and 2 key heads of 3
  EXPECT_EQ(type_of(build_chain(spec), 1).parameters.replicated, 8 + 18);
}

TEST(LayerChain, EmbeddingSplitsOnlyTheVocabulary) {
  ModelSpec spec = tiny();
  spec.learned_positions = 16;
  spec.token_types = 2;
  spec.embedding_norm = true;
  const LayerType embedding = type_of(build_chain(spec), 0);
  EXPECT_EQ(embedding.parameters.sharded, 20 * 8);
  EXPECT_EQ(embedding.parameters.replicated, (16 + 2) * 8 + 8);
  EXPECT_TRUE(embedding.matmuls.empty());
}

TEST(LayerChain, TiedHeadKeepsItsMatrixButCountsOnce) {
  ModelSpec spec = tiny();
  const ModelParameters untied = count_parameters(spec);
  spec.tied_embeddings = true;
  const LayerType head = type_of(build_chain(spec), 5);
  EXPECT_EQ(head.parameters.sharded, 160);
  EXPECT_EQ(head.parameters.replicated, 8);  // the final norm
  const ModelParameters tied = count_parameters(spec);
  EXPECT_EQ(untied.total - tied.total, 160);
  EXPECT_EQ(untied.matmul_active, tied.matmul_active);
  EXPECT_EQ(tied.embedding, 160);
}

TEST(LayerChain, MaskedLanguageHeadHasATransform) {
  ModelSpec spec = tiny();
  spec.masked_lm_head = true;
  spec.final_norm = false;
  const LayerType head = type_of(build_chain(spec), 5);
  ASSERT_EQ(head.matmuls.size(), 2U);
  EXPECT_EQ(head.parameters.sharded, 160 + 20);       // decoder and its bias
  EXPECT_EQ(head.parameters.replicated, 64 + 8 + 8);  // transform, bias, norm
}

TEST(LayerChain, MixtureAfterADensePrefix) {
  ModelSpec spec = tiny();
  spec.moe = {.experts = 6, .top_k = 2, .expert_ffn_size = 5, .first_dense_layers = 1};
  const LayerChain chain = build_chain(spec);
  ASSERT_EQ(chain.runs.size(), 4U);
  EXPECT_EQ(chain.runs[1].count, 1);
  EXPECT_EQ(chain.runs[2].count, 3);
  EXPECT_FALSE(type_of(chain, 1).moe);
  const LayerType& block = type_of(chain, 2);
  EXPECT_TRUE(block.moe);
  // One expert: 8*10 + 5*8 = 120.
  EXPECT_EQ(block.parameters.experts, 6 * 120);
  EXPECT_EQ(block.parameters.total() - block.active_parameters, 4 * 120);
  EXPECT_EQ(block.matmuls[2].name, "router");
  EXPECT_EQ(block.matmuls[2].shard, Shard::kReplicated);
  EXPECT_TRUE(block.matmuls[3].expert);
  EXPECT_TRUE(block.matmuls[4].expert);
}

TEST(LayerChain, SharedExpertAndBiases) {
  ModelSpec spec = tiny();
  spec.moe = {.experts = 6, .top_k = 2, .expert_ffn_size = 5, .shared_ffn_size = 7};
  const LayerType plain = type_of(build_chain(spec), 1);
  EXPECT_EQ(plain.matmuls.back().name, "shared expert down");
  spec.moe.shared_gate = spec.moe.router_bias = spec.moe.expert_bias = true;
  const LayerType full = type_of(build_chain(spec), 1);
  EXPECT_EQ(full.parameters.replicated - plain.parameters.replicated, 8 + 6);
  EXPECT_EQ(full.parameters.experts - plain.parameters.experts, 6 * (10 + 8));
  EXPECT_EQ(full.parameters.sharded, plain.parameters.sharded);
}

TEST(LayerChain, InterleavedMixtureAndWindowsGiveEveryCombination) {
  ModelSpec spec = tiny();
  spec.layers = 8;
  spec.moe = {.experts = 6, .top_k = 1, .expert_ffn_size = 5, .every_n_layers = 2};
  spec.sliding_window = 9;
  spec.full_attention_interval = 4;
  const LayerChain chain = build_chain(spec);
  for (std::size_t block = 1; block <= 8; ++block) {
    EXPECT_EQ(type_of(chain, block).moe, block % 2 == 0) << block;
    EXPECT_EQ(type_of(chain, block).attention_window, block % 4 == 0 ? 0 : 9) << block;
  }
  EXPECT_EQ(chain.types.size(), 5U);  // dense+window, moe+window, moe+full; embedding, head
  EXPECT_EQ(chain.size(), 10);
  EXPECT_EQ(type_of(chain, 1).name, "dense block (window 9)");
  EXPECT_EQ(type_of(chain, 4).name, "moe block");
}

TEST(LayerChain, WindowInEveryBlockWhenTheIntervalIsZero) {
  ModelSpec spec = tiny();
  spec.sliding_window = 9;
  spec.full_attention_interval = 0;
  EXPECT_EQ(build_chain(spec).runs.size(), 3U);
  EXPECT_EQ(type_of(build_chain(spec), 4).attention_window, 9);
}

TEST(LayerChain, LatentAttentionByHand) {
  ModelSpec spec = tiny();
  spec.kv_heads = 4;
  spec.head_dim = 5;
  spec.mla = {.q_lora_rank = 6,
              .kv_lora_rank = 7,
              .qk_nope_head_dim = 3,
              .qk_rope_head_dim = 2,
              .v_head_dim = 4};
  const LayerType block = type_of(build_chain(spec), 1);
  // q up 6*20, kv up 7*28, output 16*8, MLP 240
  EXPECT_EQ(block.parameters.sharded, 120 + 196 + 128 + 240);
  // two norms of 8; q down 8*6 and its norm 6; kv down 8*9 and its norm 7
  EXPECT_EQ(block.parameters.replicated, 16 + 48 + 6 + 72 + 7);
  spec.mla.q_lora_rank = 0;
  const LayerType direct = type_of(build_chain(spec), 1);
  EXPECT_EQ(direct.matmuls[0].name, "q");
  EXPECT_EQ(direct.parameters.sharded, 8 * 20 + 196 + 128 + 240);
  EXPECT_EQ(direct.parameters.replicated, 16 + 72 + 7);
}

TEST(ModelFlops, SixPerMatrixWeightAndTwelvePerScore) {
  const ModelSpec spec = tiny();
  const double weights = 4 * 528 + 160;
  EXPECT_EQ(model_flops_per_token(spec, 16), 6 * weights + 12 * 4 * 4 * 3 * 16);
}

TEST(ModelFlops, CountOnlyTheExpertsOfOneToken) {
  ModelSpec spec = tiny();
  spec.moe = {.experts = 6, .top_k = 2, .expert_ffn_size = 5};
  // qkv 192 + output 96 + router 48 + 2 experts of 120
  EXPECT_EQ(count_parameters(spec).matmul_active, 4 * (192 + 96 + 48 + 240) + 160);
}

}  // namespace
}  // namespace nestplan
