#include "io/hf_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/issue.h"
#include "core/io/hf_configs.h"
#include "model/layers.h"

namespace nestplan {
namespace {

using nlohmann::json;

std::vector<Issue> issues_of(const json& config) {
  try {
    (void)import_hf_config(config);
  } catch (const InputError& error) {
    return error.issues();
  }
  return {};
}

bool has(const std::vector<Issue>& issues, const std::string& path, const std::string& code) {
  return std::any_of(issues.begin(), issues.end(),
                     [&](const Issue& issue) { return issue.path == path && issue.code == code; });
}

json llama() {
  return json::parse(R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
    "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false})");
}

TEST(HfImport, PublishedConfigsCountToTheUnit) {
  for (const hf_configs::Published& published : hf_configs::kPublished) {
    SCOPED_TRACE(published.name);
    try {
      const HfImport import = import_hf_config(json::parse(published.config));
      EXPECT_EQ(count_parameters(import.model).total, published.total);
      EXPECT_EQ(import.unknown_keys, std::vector<std::string>{});
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(HfImport, EveryKeyIsReadIgnoredOrUnknown) {
  json config = llama();
  config["rope_theta"] = 500000.0;
  config["torch_dtype"] = "bfloat16";
  config["secret_sauce"] = 3;
  const HfImport import = import_hf_config(config);
  EXPECT_EQ(import.ignored_keys, (std::vector<std::string>{"rope_theta", "torch_dtype"}));
  EXPECT_EQ(import.unknown_keys, (std::vector<std::string>{"secret_sauce"}));
}

TEST(HfImport, NestedKeysAreNamedWithTheirParent) {
  json config = {{"model_type", "gemma3"}, {"vision_config", json::object()}, {"new_key", 1}};
  config["text_config"] = {{"model_type", "gemma3_text"},
                           {"hidden_size", 2560},
                           {"intermediate_size", 10240},
                           {"num_hidden_layers", 34},
                           {"sliding_window", 1024},
                           {"rope_theta", 1e6},
                           {"other_key", 2}};
  const HfImport import = import_hf_config(config);
  EXPECT_EQ(import.ignored_keys,
            (std::vector<std::string>{"model_type", "text_config.rope_theta", "vision_config"}));
  EXPECT_EQ(import.unknown_keys, (std::vector<std::string>{"new_key", "text_config.other_key"}));
  config["text_config"]["hidden_size"] = "wide";
  EXPECT_TRUE(has(issues_of(config), "/text_config/hidden_size", "wrong-type"));
}

TEST(HfImport, ReportsEveryFaultAtOnce) {
  json config = llama();
  config["hidden_size"] = "4096";
  config["num_hidden_layers"] = -3;
  config["vocab_size"] = 1e30;
  config["num_key_value_heads"] = 99999999999999;
  config["tie_word_embeddings"] = "no";
  config.erase("intermediate_size");
  const std::vector<Issue> issues = issues_of(config);
  EXPECT_TRUE(has(issues, "/hidden_size", "wrong-type"));
  EXPECT_TRUE(has(issues, "/num_hidden_layers", "out-of-range"));
  EXPECT_TRUE(has(issues, "/vocab_size", "wrong-type"));
  EXPECT_TRUE(has(issues, "/num_key_value_heads", "out-of-range"));
  EXPECT_TRUE(has(issues, "/tie_word_embeddings", "wrong-type"));
  EXPECT_TRUE(has(issues, "/intermediate_size", "missing"));
  EXPECT_EQ(issues.size(), 6U);
}

TEST(HfImport, FaultsOfTheWholeModelPointAtTheirKey) {
  json config = llama();
  config["num_key_value_heads"] = 5;
  EXPECT_TRUE(has(issues_of(config), "/num_key_value_heads", "not-a-divisor"));
}

TEST(HfImport, RefusesWhatItCannotPrice) {
  EXPECT_TRUE(has(issues_of(json::parse("[1]")), "", "wrong-type"));
  EXPECT_TRUE(has(issues_of(json::object()), "/model_type", "missing"));
  EXPECT_TRUE(has(issues_of({{"model_type", "mamba"}}), "/model_type", "unsupported-architecture"));
  EXPECT_TRUE(has(issues_of({{"model_type", 7}}), "/model_type", "wrong-type"));
  EXPECT_TRUE(has(issues_of({{"text_config", 7}}), "/text_config", "wrong-type"));
}

TEST(HfImport, NullMeansAbsent) {
  json config = llama();
  config["num_key_value_heads"] = nullptr;
  config["head_dim"] = nullptr;
  const ModelSpec model = import_hf_config(config).model;
  EXPECT_EQ(model.kv_heads, 32);
  EXPECT_EQ(model.head_dim, 128);
  config["hidden_size"] = nullptr;
  EXPECT_TRUE(has(issues_of(config), "/hidden_size", "missing"));
}

TEST(HfImport, HeadSizeIsDerivedOnlyWhenItDivides) {
  json config = llama();
  config["num_attention_heads"] = 24;
  EXPECT_TRUE(has(issues_of(config), "/hidden_size", "not-a-multiple"));
  config["head_dim"] = 128;
  EXPECT_EQ(import_hf_config(config).model.head_dim, 128);
}

TEST(HfImport, MistralHasAWindowUnlessItSaysNull) {
  json config = llama();
  config["model_type"] = "mistral";
  EXPECT_EQ(import_hf_config(config).model.sliding_window, 4096);
  config["sliding_window"] = nullptr;
  EXPECT_EQ(import_hf_config(config).model.sliding_window, 0);
  config["sliding_window"] = 131072;  // as long as the longest sequence: no window
  EXPECT_EQ(import_hf_config(config).model.sliding_window, 0);
}

TEST(HfImport, LayerTypesDecideWhichBlocksHaveAWindow) {
  json config = llama();
  config["model_type"] = "gemma2";
  config["num_hidden_layers"] = 4;
  config["layer_types"] = {"sliding_attention", "sliding_attention", "sliding_attention",
                           "full_attention"};
  EXPECT_EQ(import_hf_config(config).model.full_attention_interval, 4);
  config["layer_types"][0] = "full_attention";
  EXPECT_TRUE(has(issues_of(config), "/layer_types", "unsupported"));
  config["layer_types"][0] = "linear_attention";
  EXPECT_TRUE(has(issues_of(config), "/layer_types/0", "unsupported"));
  config["layer_types"] = json::array({"full_attention"});
  EXPECT_TRUE(has(issues_of(config), "/layer_types", "inconsistent"));
}

TEST(HfImport, DenseBlocksAmongExpertsMustBeAPrefix) {
  json config = llama();
  config["model_type"] = "qwen3_moe";
  config.update({{"num_experts", 8}, {"num_experts_per_tok", 2}, {"moe_intermediate_size", 64}});
  config["mlp_only_layers"] = {0, 1};
  EXPECT_EQ(import_hf_config(config).model.moe.first_dense_layers, 2);
  config["mlp_only_layers"] = {0, 5};
  EXPECT_TRUE(has(issues_of(config), "/mlp_only_layers/1", "unsupported"));
}

TEST(HfImport, QwenWindowsNeedAFlag) {
  json config = llama();
  config["model_type"] = "qwen2";
  config["sliding_window"] = 4096;
  EXPECT_EQ(import_hf_config(config).model.sliding_window, 0);
  config["use_sliding_window"] = true;
  config["max_window_layers"] = 32;
  EXPECT_EQ(import_hf_config(config).model.sliding_window, 0);
  config["max_window_layers"] = 0;
  EXPECT_EQ(import_hf_config(config).model.sliding_window, 4096);
  config["max_window_layers"] = 7;
  EXPECT_TRUE(has(issues_of(config), "/max_window_layers", "unsupported"));
}

TEST(HfImport, TypesAreSorted) {
  const std::vector<std::string> types = hf_model_types();
  EXPECT_TRUE(std::is_sorted(types.begin(), types.end()));
  EXPECT_GE(types.size(), 25U);
}

// Any value at any key of any family is imported or refused with issues, never anything else.
TEST(HfImport, WrongValuesAreRefusedNotFatal) {
  const std::vector<json> values = {nullptr,
                                    true,
                                    0,
                                    -1,
                                    1,
                                    3,
                                    7.5,
                                    1e300,
                                    std::int64_t{-9223372036854775807 - 1},
                                    std::uint64_t{18446744073709551615U},
                                    "",
                                    "text",
                                    json::array(),
                                    {1, {2, {3}}},
                                    json::object(),
                                    {{"a", {{"b", 1}}}},
                                    std::string(100000, 'x')};
  std::mt19937_64 random(11);
  for (const hf_configs::Published& published : hf_configs::kPublished) {
    const json good = json::parse(published.config);
    for (const auto& [key, unused] : good.items()) {
      for (const json& value : values) {
        json config = good;
        config[key] = value;
        if (random() % 3 == 0) config.erase(std::next(config.begin(), 0));
        try {
          const HfImport import = import_hf_config(config);
          EXPECT_GT(count_parameters(import.model).total, 0);
        } catch (const InputError& error) {
          EXPECT_FALSE(error.issues().empty());
          EXPECT_LT(std::string(error.what()).size(), 20000U);
        }
      }
    }
  }
}

TEST(HfImport, LargeDocumentsAreQuick) {
  json config = llama();
  for (int i = 0; i < 50000; ++i) config["key" + std::to_string(i)] = i;
  std::string deep(200000, '[');
  deep += std::string(200000, ']');
  config["deep"] = json::parse(deep);
  EXPECT_EQ(import_hf_config(config).unknown_keys.size(), 50001U);
  config["hidden_size"] = std::move(config["deep"]);
  EXPECT_TRUE(has(issues_of(config), "/hidden_size", "wrong-type"));
}

}  // namespace
}  // namespace nestplan
