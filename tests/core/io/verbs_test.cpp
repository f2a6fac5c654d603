// The table of verbs: every input gets an answer, nothing throws.
#include "io/verbs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nestplan {

const char* embedded_presets();

namespace {

using nlohmann::ordered_json;

const Presets& presets() {
  static const Presets loaded{std::string_view(embedded_presets())};
  return loaded;
}

Answer ask(const std::string& verb, const std::string& text) {
  const InputFile file{"input", text};
  return run_verb(verb, {&file, 1}, presets());
}

std::string small_request() {
  return R"({"format": "nestplan.request/1", "model": {"preset": "llama-3-8b"},
    "cluster": {"preset": "hgx-h100", "devices": 16},
    "training": {"global_batch_sequences": 64}})";
}

TEST(Verbs, AnUnknownVerbNamesThoseThatExist) {
  const Answer answer = ask("frob", "");
  EXPECT_EQ(answer.exit_code, kBadInput);
  const ordered_json& error = answer.document["errors"][0];
  EXPECT_EQ(error["code"], "unknown-verb");
  for (const Verb& verb : verbs())
    EXPECT_NE(error["hint"].get<std::string>().find(verb.name), std::string::npos) << verb.name;
}

TEST(Verbs, BadTextIsRefusedByEveryVerbThatReadsSome) {
  for (const Verb& verb : verbs()) {
    if (verb.input == VerbInput::kNone) continue;
    for (const char* text : {"", "{", "[]", "null", "\xff", "{\"model\": 7}"}) {
      const Answer answer = ask(std::string(verb.name), text);
      EXPECT_EQ(answer.exit_code, kBadInput) << verb.name << ": " << text;
      EXPECT_EQ(answer.document["ok"], false);
      EXPECT_FALSE(answer.document["errors"].empty());
    }
  }
}

TEST(Verbs, TheNumberOfInputsIsChecked) {
  const std::vector<InputFile> two(2);
  EXPECT_EQ(run_verb("plan", {}, presets()).exit_code, kBadInput);
  EXPECT_EQ(run_verb("plan", two, presets()).exit_code, kBadInput);
  EXPECT_EQ(run_verb("schema", two, presets()).exit_code, kBadInput);
  EXPECT_EQ(run_verb("nest", {}, presets()).exit_code, kBadInput);
}

TEST(Verbs, PresetsListsTheBundle) {
  const Answer answer = run_verb("presets", {}, presets());
  EXPECT_EQ(answer.document["value"]["models"]["llama-3-8b"]["name"], "Llama 3 8B");
}

// bert-base-uncased: embeddings 30522 x 768 + 512 x 768 + 2 x 768 and their norm.
TEST(Verbs, ParamsCountsAConfigFile) {
  const Answer answer =
      ask("params", R"({"model_type": "bert", "architectures": ["BertForMaskedLM"],
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "vocab_size": 30522, "max_position_embeddings": 512,
    "type_vocab_size": 2, "hidden_act": "gelu", "made_up": 1})");
  ASSERT_EQ(answer.exit_code, kAnswered) << json_text(answer.document);
  const ordered_json& value = answer.document["value"];
  EXPECT_EQ(value["embedding"], 30522 * 768 + 512 * 768 + 2 * 768);
  EXPECT_EQ(value["unknown_keys"].dump(), R"(["made_up"])");
}

TEST(VerbTask, InSlicesGivesTheBytesOfTheWholeRun) {
  for (const double pops : {1.0, 16.0, 1e12}) {
    VerbTask task("plan", small_request(), presets());
    ordered_json progress;
    do {
      progress = ordered_json::parse(task.step(pops));
    } while (progress["done"] == false);
    EXPECT_TRUE(progress["best"].is_number());
    EXPECT_EQ(json_text(task.result().document), json_text(ask("plan", small_request()).document));
  }
}

TEST(VerbTask, AStoppedSearchAnswersWithItsGap) {
  VerbTask task("plan", small_request(), presets());
  static_cast<void>(task.step(1));
  const ordered_json value = task.result().document["value"];
  EXPECT_TRUE(value.contains("search"));
}

TEST(VerbTask, OtherVerbsAreDoneAtOnce) {
  VerbTask task("schema", "", presets());
  EXPECT_EQ(task.step(1), R"({"done":true,"best":null,"bound_s":0.0,"gap":0.0,"pops":0})");
  EXPECT_EQ(task.result().document["ok"], true);
}

TEST(VerbTask, NothingThrows) {
  for (const char* verb : {"plan", "evaluate", "params", "nest", "graph", "schema", "frob", ""}) {
    for (const char* text : {"", "{}", "[", "\xff\xfe"}) {
      VerbTask task(verb, text, presets());
      for (const double pops : {-1.0, 0.0, 1e300}) static_cast<void>(task.step(pops));
      EXPECT_TRUE(task.result().document["ok"].is_boolean());
    }
  }
}

}  // namespace
}  // namespace nestplan
