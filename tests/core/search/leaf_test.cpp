#include "search/leaf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace nestplan {
namespace {

Config interleaved(std::int64_t pp, std::int64_t vpp) {
  Config c;
  c.pp = pp;
  c.vpp = vpp;
  c.schedule = Schedule::kInterleaved;
  return c;
}

// All chunks but the first and the last differ by at most one block; those two are at most two
// shorter, and never longer than the longest.
void expect_legal(const Config& c, const std::vector<std::int64_t>& totals) {
  const auto stages = split_chunks(c, totals);
  ASSERT_EQ(stages.size(), totals.size());
  std::vector<std::int64_t> inner;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    ASSERT_EQ(std::ssize(stages[k]), c.vpp);
    EXPECT_EQ(std::accumulate(stages[k].begin(), stages[k].end(), std::int64_t{0}), totals[k]);
    for (std::size_t v = 0; v < stages[k].size(); ++v) {
      const bool first = k == 0 && v == 0;
      const bool last = k + 1 == stages.size() && v + 1 == stages[k].size();
      if (!first && !last) inner.push_back(stages[k][v]);
    }
  }
  const auto [least, most] = std::minmax_element(inner.begin(), inner.end());
  EXPECT_GE(*least, 1);
  EXPECT_LE(*most - *least, 1);
  for (const std::int64_t end : {stages.front().front(), stages.back().back()}) {
    EXPECT_GE(end, std::max<std::int64_t>(0, *most - 3));
    EXPECT_LE(end, *least + 1);
  }
}

TEST(SplitChunks, SharesAnEvenStageEvenly) {
  EXPECT_EQ(split_chunks(interleaved(4, 5), {20, 20, 20, 20}),
            (std::vector<std::vector<std::int64_t>>(4, {4, 4, 4, 4, 4})));
}

TEST(SplitChunks, LeavesTheLastChunkToTheHeadAlone) {
  const auto stages = split_chunks(interleaved(2, 16), {17, 15});
  EXPECT_EQ(stages[1].back(), 0);
  expect_legal(interleaved(2, 16), {17, 15});
}

TEST(SplitChunks, IsLegalForEveryTotalTheRangesAllow) {
  for (std::int64_t pp = 2; pp <= 3; ++pp) {
    for (std::int64_t vpp = 2; vpp <= 4; ++vpp) {
      for (std::int64_t blocks = pp * vpp; blocks <= 26; ++blocks) {
        Job job;
        job.model.layers = blocks;
        const Config c = interleaved(pp, vpp);
        for (const auto& ranges : block_ranges(job, c, {})) {
          for (std::int64_t first = ranges.back().least; first <= ranges.back().most; ++first) {
            for (std::int64_t last = ranges[0].least; last <= ranges[0].most; ++last) {
              const std::int64_t middle = blocks - first - last;
              if (pp == 2 && middle == 0) expect_legal(c, {first, last});
              if (pp == 3 && middle >= ranges[1].least && middle <= ranges[1].most) {
                expect_legal(c, {first, middle, last});
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace nestplan
