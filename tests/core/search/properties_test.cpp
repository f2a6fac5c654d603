// What a better machine, or more freedom, must never do to the best plan.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "oracle.h"
#include "search/search.h"

namespace nestplan {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kNoPlan = std::numeric_limits<double>::infinity();

double best_step(const Job& job) {
  Search search(job, {}, 1);
  search.step(std::numeric_limits<std::int64_t>::max());
  return search.best().empty() ? kNoPlan : search.best().front().step.value();
}

// Applies `change` to 300 random jobs; the best plan must not become slower.
template <class Change>
void never_slower(const Change& change) {
  int planned = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Job job = oracle::random_job(random);
    const double before = best_step(job);
    change(job);
    const double after = best_step(job);
    if (before < kNoPlan) ++planned;
    ASSERT_LE(after, before * (1 + kRounding)) << "seed " << seed;
  }
  EXPECT_GT(planned, 100);
}

TEST(Property, MoreMemoryNeverSlowsAPlan) {
  never_slower([](Job& job) { job.accelerator.memory *= 1.5; });
}

TEST(Property, MoreBandwidthNeverSlowsAPlan) {
  never_slower([](Job& job) {
    for (NetworkLevel& level : job.network.levels) level.bandwidth *= 2;
  });
}

TEST(Property, LessLatencyNeverSlowsAPlan) {
  never_slower([](Job& job) {
    for (NetworkLevel& level : job.network.levels) level.latency *= 0.5;
  });
}

TEST(Property, OneMoreAllowedOptionNeverSlowsAPlan) {
  never_slower([](Job& job) { job.stack.zero = {0, 1, 2, 3}; });
  never_slower([](Job& job) { job.stack.per_stage_options = true; });
  never_slower([](Job& job) { job.stack.orders.emplace_back("dp-tp-cp-ep-pp"); });
}

TEST(Property, AFasterDeviceNeverSlowsAPlan) {
  never_slower([](Job& job) { job.accelerator.compute *= 1.5; });
  never_slower([](Job& job) { job.accelerator.memory_bandwidth *= 1.5; });
}

TEST(Property, ScalingEverySecondScalesTheStep) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    Job job = oracle::random_job(random);
    const double before = best_step(job);
    constexpr double kTimes = 4;  // a power of two, so that no rounding differs
    job.accelerator.memory_bandwidth = job.accelerator.memory_bandwidth / kTimes;
    job.accelerator.compute = job.accelerator.compute / kTimes;
    for (NetworkLevel& level : job.network.levels) {
      level.bandwidth = level.bandwidth / kTimes;
      level.latency *= kTimes;
    }
    Stack& stack = job.stack;
    for (Seconds* constant :
         {&stack.all_to_all_launch, &stack.kernel_launch, &stack.host_per_layer,
          &stack.host_per_expert, &stack.collective_launch_across, &stack.fixed_per_step}) {
      *constant *= kTimes;
    }
    const double after = best_step(job);
    if (before < kNoPlan) {
      EXPECT_NEAR(after / before / kTimes, 1, kRounding) << "seed " << seed;
    } else {
      EXPECT_EQ(after, kNoPlan);
    }
  }
}

TEST(Property, SplittingALevelIntoTwoEqualOnesChangesNothing) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Job job = oracle::random_job(random);
    for (NetworkLevel& level : job.network.levels) level.ring_size = 0;
    const double before = best_step(job);
    // A level of four with the rate and latency of the next is no boundary: insert one at the
    // outermost level's own figures, half way.
    NetworkLevel& outer = job.network.levels.back();
    if (job.network.levels.size() < 2) continue;
    const std::int64_t inner = job.network.levels[job.network.levels.size() - 2].capacity;
    if (outer.capacity % (2 * inner) != 0 || outer.capacity == 2 * inner) continue;
    outer.latency = Seconds(0);
    const double flat = best_step(job);
    NetworkLevel half = outer;
    half.capacity = 2 * inner;
    job.network.levels.insert(job.network.levels.end() - 1, half);
    EXPECT_NEAR(best_step(job) / flat, 1, kRounding) << "seed " << seed;
    EXPECT_LE(flat, before * (1 + kRounding));
  }
}

}  // namespace
}  // namespace nestplan
