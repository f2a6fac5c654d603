// Parameter counts against published totals, to the unit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/layers.h"
#include "model/validate.h"
#include "published/model_table.h"

namespace nestplan::published {
namespace {

KnownModel known(const std::string& id) {
  for (const KnownModel& model : known_models()) {
    if (model.id == id) return model;
  }
  ADD_FAILURE() << "no model " << id;
  return {};
}

TEST(PublishedParameters, AllThirtyThreeModelsMatchToTheUnit) {
  EXPECT_EQ(known_models().size(), 33U);
  for (const KnownModel& model : known_models()) {
    SCOPED_TRACE(model.id);
    EXPECT_TRUE(validate_model(model.spec).empty());
    const ModelParameters counted = count_parameters(model.spec);
    EXPECT_EQ(counted.total, model.total);
    EXPECT_EQ(counted.active, model.active);
  }
}

TEST(PublishedParameters, TableAgreesWithTheSharedFacts) {
  const char* shared = std::getenv("NESTPLAN_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "SKIPPED: NESTPLAN_SHARED is not set";
  std::ifstream file(std::string(shared) + "/facts/models.json");
  ASSERT_TRUE(file.good());
  const nlohmann::json facts = nlohmann::json::parse(file);
  ASSERT_EQ(facts["models"].size(), known_models().size());
  for (const nlohmann::json& fact : facts["models"]) {
    const KnownModel model = known(fact["id"].get<std::string>());
    SCOPED_TRACE(model.id);
    EXPECT_EQ(fact["params_total"], model.total);
    EXPECT_EQ(fact["params_active_incl_embeddings"], model.active);
    EXPECT_EQ(fact["config"]["num_hidden_layers"], model.spec.layers);
    EXPECT_EQ(fact["config"]["hidden_size"], model.spec.hidden_size);
    EXPECT_EQ(fact["config"]["num_attention_heads"], model.spec.heads);
    EXPECT_EQ(fact["config"]["num_key_value_heads"], model.spec.kv_heads);
    EXPECT_EQ(fact["config"]["head_dim"], model.spec.head_dim);
    EXPECT_EQ(fact["config"]["vocab_size"], model.spec.vocab_size);
  }
}

// Traps: totals that model pages state and that are not parameter counts.

TEST(PublishedParameters, Qwen3PageCountsTheTiedHeadTwice) {
  // 596,049,920 + 151,936 * 1,024 = 751,632,384
  const KnownModel model = known("qwen3-0.6b");
  EXPECT_EQ(count_parameters(model.spec).total + 151936 * 1024, 751632384);
}

TEST(PublishedParameters, HeadSizeOfQwen3IsNotHiddenOverHeads) {
  EXPECT_NE(known("qwen3-0.6b").spec.head_dim, 1024 / 16);
  EXPECT_NE(known("qwen3-32b").spec.head_dim, 5120 / 64);
}

TEST(PublishedParameters, Llama2PagesCountRotaryBuffers) {
  // 64 inverse frequencies per block: 6,738,415,616 + 32 * 64 = 6,738,417,664, and so on.
  EXPECT_EQ(count_parameters(known("llama2-7b").spec).total + 32 * 64, 6738417664);
  EXPECT_EQ(count_parameters(known("llama2-13b").spec).total + 40 * 64, 13015866880);
  EXPECT_EQ(count_parameters(known("llama2-70b").spec).total + 80 * 64, 68976653312);
}

TEST(PublishedParameters, Gemma3PageCountsTheVisionTower) {
  EXPECT_EQ(count_parameters(known("gemma3-27b-text").spec).total + 423060336, 27432406640);
}

TEST(PublishedParameters, MistralVocabularyGrewInItsThirdVersion) {
  // v0.3 has 32,768 tokens: 2 * 768 * 4,096 more.
  ModelSpec spec = known("mistral-7b-v0.1").spec;
  spec.vocab_size = 32768;
  EXPECT_EQ(count_parameters(spec).total, 7248023552);
}

TEST(PublishedParameters, BertLargeMatchesBothOfItsHeads) {
  // bert-large-uncased as BertForMaskedLM has 335,174,458 parameters; the bare encoder with its
  // pooler (1,049,600) instead of the language head (1,082,170) has 335,141,888.
  ModelSpec spec;
  spec.layers = 24;
  spec.hidden_size = 1024;
  spec.heads = spec.kv_heads = 16;
  spec.head_dim = 64;
  spec.ffn_size = 4096;
  spec.vocab_size = 30522;
  spec.max_sequence_length = spec.learned_positions = 512;
  spec.token_types = 2;
  spec.gated_mlp = spec.causal = spec.final_norm = false;
  spec.tied_embeddings = spec.embedding_norm = spec.masked_lm_head = true;
  spec.norm = Norm::kLayerNorm;
  spec.qkv_bias = spec.output_bias = spec.mlp_bias = true;
  EXPECT_EQ(count_parameters(spec).total, 335174458);
  EXPECT_EQ(count_parameters(spec).total - 1082170 + 1049600, 335141888);
}

}  // namespace
}  // namespace nestplan::published
