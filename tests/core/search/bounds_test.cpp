// Every bound of the search is at most every leaf below it: the search walks one instance after
// another to the end while a plain enumeration prices all leaves.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "oracle.h"
#include "search/stage_solver.h"

namespace nestplan {
namespace {

constexpr double kRounding = 1e-12;

TEST(Bounds, StageBoundIsNeverAboveTheBestSplit) {
  std::int64_t leaves = 0;
  std::int64_t cut = 0;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    const Job job = oracle::random_job(random);
    const ChainCounts chain(job.chain);
    oracle::for_each_config(job, [&](const Config& config) {
      oracle::Best best;
      oracle::price_config(job, config, best);
      const StageContext context = make_stage_context(
          job, config, layer_costs(job, config, layer_links(config, job.network)));
      double bound = std::numeric_limits<double>::infinity();
      for (const auto& options : option_sets(job, config, {})) {
        const StageProblem problem{&context, &chain, options,
                                   std::vector<BlockRange>(static_cast<std::size_t>(config.pp)),
                                   job.accelerator.memory};
        bound = std::min(bound, stage_bound(problem).value());
      }
      ++leaves;
      if (best.step > 0) {
        EXPECT_LE(bound, best.step * (1 + kRounding)) << "seed " << seed;
      } else if (bound == std::numeric_limits<double>::infinity()) {
        ++cut;  // known infeasible without a search
      }
    });
  }
  std::cout << "bounds: " << leaves << " leaves, " << cut << " cut by memory alone\n";
  EXPECT_GT(leaves, 1000);
  EXPECT_GT(cut, 0);
}

TEST(Bounds, InnermostPlacementIsTheCheapest) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    const Job job = oracle::random_job(random);
    Job closed = job;
    for (NetworkLevel& level : closed.network.levels) level.ring_size = 0;
    oracle::for_each_config(job, [&](const Config& config) {
      const auto inner = layer_costs(closed, config, innermost_links(config, closed.network));
      const auto placed = layer_costs(job, config, layer_links(config, job.network));
      for (std::size_t t = 0; t < inner.size(); ++t) {
        for (const Recompute kind : {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
          ASSERT_LE(inner[t].under(kind).load, placed[t].under(kind).load * (1 + kRounding))
              << "seed " << seed;
        }
      }
    });
  }
}

}  // namespace
}  // namespace nestplan
