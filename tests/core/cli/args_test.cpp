// Words of a command line -> what is asked, and the request that flags stand for.
#include "cli/args.h"

#include <gtest/gtest.h>

namespace nestplan {
namespace {

using nlohmann::ordered_json;

Args parsed(const std::vector<std::string>& words) { return parse_args(words); }

std::string request_of(const std::vector<std::string>& words) {
  return apply_settings(ordered_json::object(), parsed(words).settings).dump();
}

TEST(Args, TheFirstWordIsTheVerbAndTheOthersAreFiles) {
  const Args args = parsed({"nest", "a.json", "--json", "-", "--timing"});
  EXPECT_EQ(args.verb, "nest");
  EXPECT_EQ(args.files, (std::vector<std::string>{"a.json", "-"}));
  EXPECT_TRUE(args.json);
  EXPECT_TRUE(args.timing);
  EXPECT_TRUE(args.issues.empty());
}

TEST(Args, FlagsMakeARequest) {
  EXPECT_EQ(request_of({"plan", "--model", "m", "--cluster=c", "--devices", "1024", "--batch", "2k",
                        "--seq", "8192", "--stack", "s", "--tokens", "1.5T"}),
            R"({"model":{"preset":"m"},"cluster":{"preset":"c","devices":1024},)"
            R"("training":{"global_batch_sequences":2000,"sequence_length":8192,)"
            R"("tokens":1500000000000},"stack":{"preset":"s"}})");
}

TEST(Args, PinsAreNumbersTruthValuesNamesOrListsOfLayers) {
  EXPECT_EQ(request_of({"plan", "--pin", "tp=8,sp=true", "--pin",
                        "recompute=full,order=tp-cp-ep-dp-pp,stage_layers=20/20"}),
            R"({"search":{"pins":{"tp":8,"sp":true,"recompute":"full",)"
            R"("order":"tp-cp-ep-dp-pp","stage_layers":[20,20]}}})");
}

TEST(Args, SetReachesAnyField) {
  EXPECT_EQ(request_of({"plan", "--set", "/a~1b/c=[1,2]", "--set", "/a~1b/c/1=x=y"}),
            R"({"a/b":{"c":[1,"x=y"]}})");
}

TEST(Args, SettingsChangeAFile) {
  const Args args = parsed({"plan", "f", "--devices", "8"});
  const ordered_json file = ordered_json::parse(R"({"cluster":{"preset":"c","devices":4}})");
  EXPECT_EQ(apply_settings(file, args.settings).dump(),
            R"({"cluster":{"preset":"c","devices":8}})");
}

TEST(Args, APointerThatLeadsNowhereIsRefused) {
  for (const char* text : {"/a/0=1", "/l/9=1", "/l/x=1", "/l/99999999999=1"}) {
    const Args args = parsed({"plan", "--set", text});
    const ordered_json file = ordered_json::parse(R"({"a": 1, "l": [1]})");
    EXPECT_THROW(static_cast<void>(apply_settings(file, args.settings)), InputError) << text;
  }
}

TEST(Args, EveryFaultIsReported) {
  const Args args =
      parsed({"plan", "--frob", "--seq", "abc", "--pin", "tp,=3", "--set", "a=1", "--devices"});
  std::vector<std::string> flags;
  for (const Issue& issue : args.issues) flags.push_back(issue.path);
  EXPECT_EQ(flags,
            (std::vector<std::string>{"--frob", "--seq", "--pin", "--pin", "--set", "--devices"}));
}

}  // namespace
}  // namespace nestplan
