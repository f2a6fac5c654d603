// Every preset: parses, carries a source on every number, and every model counts as published.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "model/layers.h"
#include "model/validate.h"
#include "published/model_table.h"

namespace nestplan::published {
namespace {

using nlohmann::json;

std::map<std::string, json> presets(const std::string& kind) {
  std::map<std::string, json> all;
  const std::filesystem::path root = std::filesystem::path(NESTPLAN_SOURCE_DIR) / "presets" / kind;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    std::ifstream file(entry.path());
    all[entry.path().stem().string()] = json::parse(file);
  }
  return all;
}

// Calls `visit(key, number)` for every number inside, with the nearest key.
template <class Visit>
void each_number(const json& value, const std::string& key, const Visit& visit) {
  if (value.is_number()) visit(key);
  if (value.is_array()) {
    for (const json& item : value) each_number(item, key, visit);
  }
  if (value.is_object()) {
    for (const auto& [name, item] : value.items()) each_number(item, name, visit);
  }
}

TEST(Presets, ThereAreEnoughOfThem) {
  EXPECT_GE(presets("models").size(), 40U);
  EXPECT_GE(presets("accelerators").size(), 25U);
  EXPECT_GE(presets("clusters").size(), 25U);
  EXPECT_GE(presets("stacks").size(), 8U);
  EXPECT_GE(presets("scenarios").size(), 12U);
}

TEST(Presets, EveryNumberHasASourceAndAKind) {
  const std::set<std::string> kinds = {"datasheet", "measured", "fitted", "paper", "assumed"};
  for (const char* folder : {"models", "accelerators", "clusters", "stacks", "scenarios"}) {
    for (const auto& [id, preset] : presets(folder)) {
      SCOPED_TRACE(std::string(folder) + "/" + id);
      EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-."), std::string::npos);
      EXPECT_FALSE(preset.at("name").get<std::string>().empty());
      EXPECT_FALSE(preset.at("description").get<std::string>().empty());
      EXPECT_EQ(preset.size(), 4U);
      const json& sources = preset.at("sources");
      std::set<std::string> keys;
      each_number(preset.at("value"), "", [&](const std::string& key) {
        keys.insert(key);
        EXPECT_TRUE(sources.contains(key) || sources.contains("*")) << key;
      });
      for (const auto& [key, source] : sources.items()) {
        EXPECT_FALSE(source.at("source").get<std::string>().empty()) << key;
        EXPECT_TRUE(kinds.contains(source.at("kind").get<std::string>())) << key;
        EXPECT_TRUE(key == "*" || keys.contains(key)) << key << " describes nothing";
      }
    }
  }
}

TEST(Presets, ClustersNameAcceleratorsThatExist) {
  const std::map<std::string, json> accelerators = presets("accelerators");
  for (const auto& [id, preset] : presets("clusters")) {
    SCOPED_TRACE(id);
    const json& value = preset.at("value");
    EXPECT_TRUE(accelerators.contains(value.at("accelerator").at("preset").get<std::string>()));
    std::int64_t most = 1;
    for (const json& level : value.at("levels")) {
      most *= level.at("arity").get<std::int64_t>();
      if (!level.contains("dims")) continue;
      std::int64_t product = 1;
      for (const json& size : level.at("dims")) product *= size.get<std::int64_t>();
      EXPECT_EQ(product, level.at("arity").get<std::int64_t>());
    }
    EXPECT_TRUE(most == 0 || value.at("devices").get<std::int64_t>() <= most);
  }
}

TEST(Presets, ScenariosNamePresetsThatExistAndFit) {
  const auto models = presets("models");
  const auto clusters = presets("clusters");
  const auto stacks = presets("stacks");
  for (const auto& [id, preset] : presets("scenarios")) {
    SCOPED_TRACE(id);
    const json& value = preset.at("value");
    const auto name = [&](const char* part) {
      return value.at(part).at("preset").get<std::string>();
    };
    ASSERT_TRUE(models.contains(name("model")));
    ASSERT_TRUE(clusters.contains(name("cluster")));
    EXPECT_TRUE(stacks.contains(name("stack")));
    EXPECT_LE(value.at("training").at("sequence_length").get<std::int64_t>(),
              models.at(name("model")).at("value").at("max_sequence_length").get<std::int64_t>());
    std::int64_t most = 1;
    for (const json& level : clusters.at(name("cluster")).at("value").at("levels")) {
      most *= level.at("arity").get<std::int64_t>();
    }
    EXPECT_TRUE(most == 0 || value.at("cluster").at("devices").get<std::int64_t>() <= most);
  }
}

std::int64_t count(const json& value, const char* key, std::int64_t otherwise) {
  return value.value(key, otherwise);
}

void read_style(const json& v, ModelSpec& spec) {
  spec.gated_mlp = v.value("gated_mlp", true);
  spec.causal = v.value("causal", true);
  spec.final_norm = v.value("final_norm", true);
  for (const auto& [key, field] :
       std::map<std::string, bool ModelSpec::*>{{"tied_embeddings", &ModelSpec::tied_embeddings},
                                                {"qkv_bias", &ModelSpec::qkv_bias},
                                                {"output_bias", &ModelSpec::output_bias},
                                                {"mlp_bias", &ModelSpec::mlp_bias},
                                                {"attention_sinks", &ModelSpec::attention_sinks},
                                                {"embedding_norm", &ModelSpec::embedding_norm},
                                                {"masked_lm_head", &ModelSpec::masked_lm_head},
                                                {"head_bias", &ModelSpec::head_bias}}) {
    spec.*field = v.value(key, false);
  }
  const std::string norm = v.value("norm", "rms");
  spec.norm = norm == "rms"         ? Norm::kRms
              : norm == "layernorm" ? Norm::kLayerNorm
                                    : Norm::kLayerNormNoBias;
  const std::string qk_norm = v.value("qk_norm", "none");
  spec.qk_norm = qk_norm == "none"       ? QkNorm::kNone
                 : qk_norm == "per-head" ? QkNorm::kPerHead
                                         : QkNorm::kFullWidth;
}

void read_parts(const json& v, ModelSpec& spec) {
  if (v.contains("mla")) {
    const json& mla = v.at("mla");
    spec.mla = {count(mla, "q_lora_rank", 0), count(mla, "kv_lora_rank", 0),
                count(mla, "qk_nope_head_dim", 0), count(mla, "qk_rope_head_dim", 0),
                count(mla, "v_head_dim", 0)};
  }
  if (v.contains("moe")) {
    const json& moe = v.at("moe");
    spec.moe = {.experts = count(moe, "experts", 0),
                .top_k = count(moe, "top_k", 0),
                .expert_ffn_size = count(moe, "expert_ffn_size", 0),
                .shared_ffn_size = count(moe, "shared_ffn_size", 0),
                .first_dense_layers = count(moe, "first_dense_layers", 0),
                .every_n_layers = count(moe, "every_n_layers", 1),
                .shared_gate = moe.value("shared_gate", false),
                .router_bias = moe.value("router_bias", false),
                .expert_bias = moe.value("expert_bias", false)};
  }
}

ModelSpec model_of(const json& v) {
  ModelSpec spec;
  spec.name = v.at("name").get<std::string>();
  spec.layers = v.at("layers").get<std::int64_t>();
  spec.hidden_size = v.at("hidden_size").get<std::int64_t>();
  spec.heads = v.at("heads").get<std::int64_t>();
  spec.kv_heads = v.at("kv_heads").get<std::int64_t>();
  spec.head_dim = v.at("head_dim").get<std::int64_t>();
  spec.ffn_size = v.at("ffn_size").get<std::int64_t>();
  spec.vocab_size = v.at("vocab_size").get<std::int64_t>();
  spec.max_sequence_length = v.at("max_sequence_length").get<std::int64_t>();
  spec.norms_per_layer = count(v, "norms_per_layer", spec.norms_per_layer);
  spec.learned_positions = count(v, "learned_positions", 0);
  spec.token_types = count(v, "token_types", 0);
  spec.sliding_window = count(v, "sliding_window", 0);
  spec.full_attention_interval = count(v, "full_attention_interval", 1);
  read_style(v, spec);
  read_parts(v, spec);
  return spec;
}

// Totals as published, corrected only for what parameters_test.cpp explains. Active 0: dense, or
// no exact figure.
struct Total {
  const char* id;
  std::int64_t total;
  std::int64_t active;
};
constexpr auto kTotals = std::to_array<Total>({
    {"bert-base", 109514298, 0},
    {"bert-large", 335174458, 0},
    {"bloom-176b", 176247271424, 0},
    {"command-r-35b", 34980831232, 0},
    {"deepseek-v2", 235741434880, 21375800320},
    {"deepseek-v2-lite", 15706484224, 0},
    {"deepseek-v3", 671026419200, 37552297472},
    {"falcon-180b", 178557088768, 0},
    {"falcon-40b", 41303293952, 0},
    {"falcon-7b", 6921720704, 0},
    {"gemma-2-27b", 27227128320, 0},
    {"gemma-2-2b", 2614341888, 0},
    {"gemma-2-9b", 9241705984, 0},
    {"gemma-3-27b", 27009346304, 0},
    {"gemma-3-4b", 3880263168, 0},
    {"gemma-7b", 8537680896, 0},
    {"gpt-1t", 1008038758400, 0},
    {"gpt-3-175b", 174604259328, 0},
    {"gpt-neox-20b", 20554567680, 0},
    {"gpt-oss-120b", 116829156672, 5711982912},
    {"gpt-oss-20b", 20914757184, 0},
    {"gpt2", 124439808, 0},
    {"gpt2-xl", 1557611200, 0},
    {"granite-3.3-8b", 8170864640, 0},
    {"llama-2-13b", 13015864320, 0},
    {"llama-2-70b", 68976648192, 0},
    {"llama-2-7b", 6738415616, 0},
    {"llama-3-70b", 70553706496, 0},
    {"llama-3-8b", 8030261248, 0},
    {"llama-3.1-405b", 405853388800, 0},
    {"llama-3.1-70b", 70553706496, 0},
    {"llama-3.1-8b", 8030261248, 0},
    {"llama-3.2-1b", 1235814400, 0},
    {"llama-3.2-3b", 3212749824, 0},
    {"llama-4-maverick", 400711848960, 17184691200},
    {"ministral-8b", 8019808256, 0},
    {"mistral-7b", 7241732096, 0},
    {"mistral-7b-v0.3", 7248023552, 0},
    {"mistral-small-24b", 23572403200, 0},
    {"mixtral-8x7b", 46702792704, 12879925248},
    {"olmo-2-13b", 13716198400, 0},
    {"olmo-2-32b", 32234279936, 0},
    {"olmo-2-7b", 7298617344, 0},
    {"phi-2", 2779683840, 0},
    {"phi-3-mini", 3821079552, 0},
    {"phi-4", 14659507200, 0},
    {"phi-4-mini", 3836021760, 0},
    {"pythia-6.9b", 6857302016, 0},
    {"qwen1.5-moe-a2.7b", 14315784192, 0},
    {"qwen2.5-0.5b", 494032768, 0},
    {"qwen2.5-1.5b", 1543714304, 0},
    {"qwen2.5-14b", 14770033664, 0},
    {"qwen2.5-32b", 32763876352, 0},
    {"qwen2.5-3b", 3085938688, 0},
    {"qwen2.5-72b", 72706203648, 0},
    {"qwen2.5-7b", 7615616512, 0},
    {"qwen3-0.6b", 596049920, 0},
    {"qwen3-1.7b", 1720574976, 0},
    {"qwen3-14b", 14768307200, 0},
    {"qwen3-235b-a22b", 235093634560, 22190763520},
    {"qwen3-30b-a3b", 30532122624, 0},
    {"qwen3-32b", 32762123264, 0},
    {"qwen3-4b", 4022468096, 0},
    {"qwen3-8b", 8190735360, 0},
    {"smollm2-1.7b", 1711376384, 0},
    {"smollm2-135m", 134515008, 0},
    {"smollm2-360m", 361821120, 0},
});

TEST(Presets, ModelsCountAsPublished) {
  const std::map<std::string, json> models = presets("models");
  for (const Total& known : kTotals) {
    SCOPED_TRACE(known.id);
    ASSERT_TRUE(models.contains(known.id));
    const ModelSpec spec = model_of(models.at(known.id).at("value"));
    EXPECT_TRUE(validate_model(spec).empty());
    const ModelParameters counted = count_parameters(spec);
    EXPECT_EQ(counted.total, known.total);
    if (known.active > 0) {
      EXPECT_EQ(counted.active, known.active);
    }
  }
}

TEST(Presets, FalconPageCountsTheTiedHeadTwice) {
  const ModelSpec spec = model_of(presets("models").at("falcon-180b").at("value"));
  EXPECT_EQ(count_parameters(spec).total + 65024LL * 14848, 179522565120);
}

TEST(Presets, TrillionParameterModelFollowsTheFormulaOfItsPaper) {
  // arXiv 2104.04473, eq. 2: 12 l h^2 (1 + 13/(12 h) + (V + s)/(12 l h)), without the final norm.
  constexpr std::int64_t kLayers = 128;
  constexpr std::int64_t kHidden = 25600;
  const ModelSpec spec = model_of(presets("models").at("gpt-1t").at("value"));
  EXPECT_EQ(count_parameters(spec).total - 2 * kHidden,
            12 * kLayers * kHidden * kHidden + 13 * kLayers * kHidden + (51200 + 2048) * kHidden);
}

TEST(Presets, AllModelsAreValid) {
  for (const auto& [id, preset] : presets("models")) {
    EXPECT_TRUE(validate_model(model_of(preset.at("value"))).empty()) << id;
  }
}

// The table of parameters_test.cpp and the presets describe the same models.
TEST(Presets, HoldEveryModelOfTheTable) {
  std::map<std::string, ModelSpec> specs;
  for (const auto& [id, preset] : presets("models")) specs[id] = model_of(preset.at("value"));
  for (KnownModel known : known_models()) {
    bool found = false;
    for (const auto& [id, spec] : specs) {
      known.spec.name = spec.name;
      found = found || spec == known.spec;
    }
    EXPECT_TRUE(found) << known.id;
  }
}

}  // namespace
}  // namespace nestplan::published
