#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "oracle.h"

namespace nestplan {
namespace {

constexpr int kInstances = 1200;
// Sums are added in another order by the oracle: a few roundings of 2^-53.
constexpr double kRounding = 1e-12;

Search searched(const Job& job) {
  Search search(job, {}, 1);
  search.step(std::numeric_limits<std::int64_t>::max());
  return search;
}

std::string describe(const Job& job) {
  return std::to_string(job.model.layers) + " blocks, " + std::to_string(job.network.devices) +
         " devices, batch " + std::to_string(job.training.global_batch_sequences) +
         (job.stack.per_stage_options ? ", options per stage" : ", uniform options");
}

TEST(Search, FindsTheExhaustiveOptimumOnEverySmallInstance) {
  std::int64_t plans = 0;
  int feasible = 0;
  for (int seed = 0; seed < kInstances; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Job job = oracle::random_job(random);
    const oracle::Best best = oracle::exhaustive(job);
    const Search search = searched(job);
    plans += best.plans;
    ASSERT_EQ(search.best().empty(), best.step == 0) << "seed " << seed << ": " << describe(job);
    if (best.step == 0) continue;
    ++feasible;
    ASSERT_NEAR(search.best().front().step.value() / best.step, 1, kRounding)
        << "seed " << seed << ": " << describe(job);
  }
  RecordProperty("feasible", feasible);
  RecordProperty("plans", std::to_string(plans));
  std::cout << "oracle: " << kInstances << " instances, " << feasible << " feasible, " << plans
            << " plans priced\n";
  EXPECT_GT(feasible, kInstances / 2);
  EXPECT_LT(feasible, kInstances);
}

TEST(Search, KeepsTheBestLayoutsInOrder) {
  constexpr std::size_t kKept = 4;
  for (int seed = 0; seed < 200; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Job job = oracle::random_job(random);
    // The best step of every layout: all of a configuration but its order and interleaving.
    std::map<std::vector<std::int64_t>, double> layouts;
    oracle::for_each_config(job, [&](const Config& c) {
      oracle::Best best;
      oracle::price_config(job, c, best);
      if (best.step == 0) return;
      const auto [place, fresh] =
          layouts.try_emplace({c.mbs, c.tp, c.cp, c.ep, c.etp, c.dp, c.pp}, best.step);
      if (!fresh) place->second = std::min(place->second, best.step);
    });
    std::vector<double> steps;
    for (const auto& [layout, step] : layouts) steps.push_back(step);
    std::sort(steps.begin(), steps.end());
    Search search(job, {}, kKept);
    search.step(std::numeric_limits<std::int64_t>::max());
    ASSERT_EQ(search.best().size(), std::min(kKept, steps.size())) << "seed " << seed;
    for (std::size_t i = 0; i < search.best().size(); ++i) {
      EXPECT_NEAR(search.best()[i].step.value() / steps[i], 1, kRounding) << "seed " << seed;
    }
  }
}

TEST(Search, GivesTheSameAnswerInSlices) {
  for (int seed = 0; seed < 50; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Job job = oracle::random_job(random);
    const Search whole = searched(job);
    Search sliced(job, {}, 1);
    Seconds bound(0);
    while (!sliced.status().done) {
      sliced.step(1);
      EXPECT_GE(sliced.status().bound, bound * (1 - kRounding)) << "the bound only rises";
      bound = sliced.status().bound;
    }
    ASSERT_EQ(whole.best().empty(), sliced.best().empty());
    if (!whole.best().empty()) {
      EXPECT_EQ(whole.best().front().step, sliced.best().front().step);
      EXPECT_EQ(whole.best().front().config, sliced.best().front().config);
    }
  }
}

}  // namespace
}  // namespace nestplan
