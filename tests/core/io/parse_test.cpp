#include "io/parse.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/issue.h"
#include "io/echo.h"

namespace nestplan {

const char* embedded_presets();

namespace {

using nlohmann::ordered_json;

const Presets& presets() {
  static const Presets all(embedded_presets());
  return all;
}

// The faults of a document, one "path code" each; empty when it is read.
template <class Document>
std::vector<Issue> issues_of(const Document& document) {
  try {
    static_cast<void>(parse_request(document, presets()));
  } catch (const InputError& error) {
    return error.issues();
  }
  return {};
}

std::vector<std::string> faults(const std::vector<Issue>& issues) {
  std::vector<std::string> all;
  for (const Issue& issue : issues) all.push_back(issue.path + " " + issue.code);
  return all;
}

using Faults = std::vector<std::string>;

ordered_json example() {
  return {{"model", "llama-3-8b"}, {"cluster", {{"preset", "h100-spine-leaf"}, {"devices", 64}}}};
}

std::string hint_for(const ordered_json& document) {
  const std::vector<Issue> issues = issues_of(document);
  return issues.size() == 1 ? issues.front().hint : "not one fault";
}

TEST(ParseRequest, FillsInTheDefaults) {
  const Request request = parse_request(example(), presets());
  EXPECT_EQ(request.training.global_batch_sequences, 1024);
  EXPECT_EQ(request.training.sequence_length, 8192);
  EXPECT_EQ(request.stack.name, "Megatron-Core");
  EXPECT_EQ(request.cluster.devices, 64);
  EXPECT_EQ(request.cluster.accelerator.cores, 132);
  EXPECT_EQ(request.search, SearchSettings{});
}

TEST(ParseRequest, TheDefaultSequenceIsNoLongerThanTheModelsLongest) {
  ordered_json document = example();
  document["model"] = "bert-large";
  EXPECT_EQ(parse_request(document, presets()).training.sequence_length, 512);
}

TEST(ParseRequest, KeysBesideAPresetReplaceItsOwnOneByOne) {
  ordered_json document = example();
  document["model"] = {{"preset", "deepseek-v3"}, {"layers", 30}, {"moe", {{"top_k", 4}}}};
  document["cluster"]["accelerator"] = {{"memory_bytes", 64e9}};
  document["stack"] = {{"tp_exposed", 0.5}};
  const Request request = parse_request(document, presets());
  EXPECT_EQ(request.model.layers, 30);
  EXPECT_EQ(request.model.moe.top_k, 4);
  EXPECT_EQ(request.model.moe.experts, 256);
  EXPECT_EQ(request.cluster.accelerator.memory, Bytes(64e9));
  EXPECT_EQ(request.cluster.accelerator.cores, 132);
  EXPECT_EQ(request.stack.name, "Megatron-Core");
  EXPECT_EQ(request.stack.tp_exposed, 0.5);
}

TEST(ParseRequest, AnotherAcceleratorLeavesNothingOfTheFirst) {
  ordered_json document = example();
  document["cluster"] = {{"preset", "nest-h100-spine-leaf"}, {"accelerator", "a100-sxm-80gb"}};
  const Accelerator swapped = parse_request(document, presets()).cluster.accelerator;
  document["cluster"] = "dgx-a100-superpod";
  EXPECT_EQ(swapped, parse_request(document, presets()).cluster.accelerator);
}

TEST(ParseRequest, ALevelListReplacesThePresets) {
  ordered_json document = example();
  document["cluster"]["levels"] = {{{"name", "one"}, {"arity", 0}}};
  EXPECT_EQ(faults(issues_of(document)),
            (Faults{"/cluster/levels/0/bandwidth_bytes_per_s missing"}));
  document["cluster"]["levels"][0]["bandwidth_bytes_per_s"] = 1e10;
  const Request request = parse_request(document, presets());
  ASSERT_EQ(request.cluster.levels.size(), 1U);
  EXPECT_EQ(request.cluster.levels[0].latency, Seconds(1.5e-5));
}

TEST(ParseRequest, EveryPresetReadsWithoutFault) {
  const auto check = [](const char* kind, const char* key) {
    for (const std::string& id : presets().ids(kind)) {
      ordered_json document = example();
      document[key] = {{"preset", id}};
      EXPECT_EQ(faults(issues_of(document)), Faults{}) << kind << "/" << id;
    }
  };
  check("models", "model");
  check("clusters", "cluster");
  check("stacks", "stack");
  for (const std::string& id : presets().ids("accelerators")) {
    ordered_json document = example();
    document["cluster"]["accelerator"] = id;
    EXPECT_EQ(faults(issues_of(document)), Faults{}) << id;
  }
}

TEST(ParseRequest, EveryScenarioEchoesToItself) {
  ASSERT_GE(presets().ids("scenarios").size(), 12U);
  for (const std::string& id : presets().ids("scenarios")) {
    SCOPED_TRACE(id);
    const Request request = parse_request(*presets().value("scenarios", id), presets());
    const std::string echo = write_request(request).dump();
    // The echo needs no presets.
    EXPECT_EQ(parse_request(echo, Presets()), request);
    EXPECT_EQ(write_request(parse_request(echo, Presets())).dump(), echo);
  }
}

TEST(ParseRequest, PinsEchoToThemselves) {
  ordered_json document = example();
  document["search"]["pins"] = {{"tp", 4},
                                {"sp", true},
                                {"recompute", "full"},
                                {"order", "tp-cp-ep-dp-pp"},
                                {"stage_layers", {16, 16}}};
  const Request request = parse_request(document, presets());
  EXPECT_EQ(request.search.pins.recompute, Recompute::kFull);
  EXPECT_FALSE(request.search.pins.pp.has_value());
  EXPECT_EQ(parse_request(write_request(request), Presets()), request);
}

TEST(ParseRequest, FindsEveryFaultAtOnce) {
  ordered_json document = example();
  document["format"] = "nestplan.request/2";
  document["colour"] = 1;
  document["model"] = {{"preset", "llama-3-8b"}, {"layers", 0}, {"head/dim~", 1}};
  document["cluster"]["devices"] = "64";
  document["cluster"]["accelerator"] = {{"cores", 1.5}};
  document["training"] = {{"optimizer", "adam"}, {"tokens", -1}};
  document["stack"] = "megatron-cor";
  document["search"] = {{"pins", {{"order", "tp-pp"}, {"stage_layers", {1, "2"}}}}};
  EXPECT_EQ(
      faults(issues_of(document)),
      (Faults{"/format bad-format", "/model/layers out-of-range", "/model/head~1dim~0 unknown-key",
              "/cluster/devices wrong-type", "/cluster/accelerator/cores not-an-integer",
              "/colour unknown-key", "/training/optimizer out-of-range",
              "/training/tokens out-of-range", "/stack unknown-preset",
              "/search/pins/order out-of-range", "/search/pins/stage_layers/1 wrong-type"}));
}

TEST(ParseRequest, HintsAtWhatWasMeant) {
  ordered_json document = example();
  document["model"] = {{"preset", "llama-3-8b"}, {"hiden_size", 4096}};
  EXPECT_EQ(hint_for(document), "did you mean \"hidden_size\"?");
  document["model"] = "lama-3-8b";
  EXPECT_EQ(hint_for(document), "did you mean \"llama-3-8b\"?");
  document = example();
  document["training"]["gradients"] = "fp23";
  EXPECT_EQ(hint_for(document), "did you mean \"fp32\"?");
  document = example();
  document["cluster"]["devices"] = 0;
  EXPECT_EQ(hint_for(document), "nearest allowed value: 1");
  document["cluster"]["devices"] = 7.6;
  EXPECT_EQ(hint_for(document), "nearest allowed value: 8");
  document["cluster"]["devices"] = "64";
  EXPECT_EQ(hint_for(document), "write 64 without quotes");
}

TEST(ParseRequest, SaysWhatWasFoundAndWhatIsAllowed) {
  ordered_json document = example();
  document["training"]["sequence_length"] = 0;
  EXPECT_EQ(issues_of(document).at(0).message,
            "found 0; allowed: a whole number from 1 to 16777216 tokens");
}

TEST(ParseRequest, AnEmptyDocumentMissesModelAndCluster) {
  EXPECT_EQ(faults(issues_of("{}")), (Faults{"/model missing", "/cluster missing"}));
  EXPECT_EQ(faults(issues_of("[]")), (Faults{" wrong-type"}));
  EXPECT_EQ(faults(issues_of(R"({"model": 3, "cluster": []})")),
            (Faults{"/model wrong-type", "/cluster wrong-type"}));
}

TEST(ParseRequest, WholeNumbersMayHaveAFraction) {
  ordered_json document = example();
  document["cluster"]["devices"] = 8.0;
  EXPECT_EQ(parse_request(document, presets()).cluster.devices, 8);
}

TEST(ParseRequest, RefusesWhatIsNotPlainJson) {
  EXPECT_EQ(faults(issues_of("")), (Faults{" bad-json"}));
  EXPECT_EQ(faults(issues_of("{\"model\": }")), (Faults{" bad-json"}));
  EXPECT_EQ(faults(issues_of("{\"model\": 1e400}")), (Faults{" bad-json"}));
  EXPECT_EQ(faults(issues_of("{\"model\": \"\xff\"}")), (Faults{" bad-json"}));
  EXPECT_EQ(faults(issues_of("{} {}")), (Faults{" bad-json"}));
  EXPECT_EQ(issues_of("{\n \"a\": x}").at(0).message, "not JSON at line 2, column 7");
}

TEST(ParseRequest, NamesKeysGivenTwice) {
  EXPECT_EQ(faults(issues_of(R"({"model": {"a": [0, {"b": 1, "b": 2}]}, "model": 1})")),
            (Faults{"/model/a/1/b duplicate-key", "/model duplicate-key"}));
}

TEST(ParseRequest, RefusesWhatIsTooDeepOrTooLong) {
  EXPECT_EQ(faults(issues_of(std::string(64, '['))), (Faults{" bad-json"}));
  EXPECT_EQ(faults(issues_of(std::string(65, '['))), (Faults{" too-large"}));
  EXPECT_EQ(faults(issues_of(std::string(8'000'001, ' '))), (Faults{" too-large"}));
}

TEST(ParseRequest, StopsListingAfterAThousandFaults) {
  std::string text = "{";
  for (int i = 0; i < 300'000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(issues_of(text + "\"z\":0}").size(), 1001U);
}

TEST(ParseRequest, ChecksThatLevelsFitTogether) {
  const auto level_faults = [](const ordered_json& levels, int devices) {
    ordered_json document = example();
    document["cluster"] = {{"accelerator", "h100-sxm"}, {"devices", devices}, {"levels", levels}};
    for (ordered_json& level : document["cluster"]["levels"]) {
      level["name"] = "level";
      level["bandwidth_bytes_per_s"] = 1e9;
    }
    return faults(issues_of(document));
  };
  EXPECT_EQ(level_faults({{{"arity", 8}}, {{"arity", 4}}}, 32), Faults{});
  EXPECT_EQ(level_faults({{{"arity", 8}}, {{"arity", 4}}}, 33),
            (Faults{"/cluster/devices out-of-range"}));
  EXPECT_EQ(level_faults({{{"arity", 0}}, {{"arity", 4}}}, 32),
            (Faults{"/cluster/levels/0/arity out-of-range"}));
  EXPECT_EQ(level_faults({{{"arity", 8}, {"kind", "torus"}, {"dims", {2, 3}}}}, 8),
            (Faults{"/cluster/levels/0/dims inconsistent"}));
  EXPECT_EQ(level_faults({{{"arity", 8}, {"kind", "torus"}}}, 8),
            (Faults{"/cluster/levels/0/dims missing"}));
  EXPECT_EQ(level_faults({{{"arity", 8}, {"dims", {2, 4}}}}, 8),
            (Faults{"/cluster/levels/0/dims no-effect"}));
  const ordered_json torus = {{"arity", 32}, {"kind", "torus"}, {"dims", {2, 2, 2, 2, 2}}};
  EXPECT_EQ(level_faults(ordered_json::array({torus, torus}), 8),
            (Faults{"/cluster/levels out-of-range"}));
}

TEST(ParseRequest, ChecksTheModelAsAWhole) {
  ordered_json document = example();
  document["model"] = {{"preset", "llama-3-8b"}, {"kv_heads", 5}};
  EXPECT_EQ(faults(issues_of(document)), (Faults{"/model/kv_heads not-a-divisor"}));
  document["model"] = "bert-large";
  document["training"]["sequence_length"] = 1024;
  EXPECT_EQ(faults(issues_of(document)), (Faults{"/training/sequence_length out-of-range"}));
}

}  // namespace
}  // namespace nestplan
