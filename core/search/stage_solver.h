// The inner problem, exactly: cut the chain of layers into pipeline stages and choose an option for
// each, so that the step time is least and every stage fits.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "cost/stage_cost.h"

namespace nestplan {

// Counts of each layer type before every position of the chain: the content of any interval in a
// few additions, the same bits for the same content wherever it lies.
class ChainCounts {
 public:
  explicit ChainCounts(const LayerChain& chain);
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t count(std::size_t type, std::int64_t begin, std::int64_t end) const {
    const std::vector<std::int64_t>& before = before_[type];
    return before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(begin)];
  }
  // Transformer blocks in [begin, end): all layers but the embedding and the head.
  [[nodiscard]] std::int64_t blocks(std::int64_t begin, std::int64_t end) const {
    return end - begin - (begin == 0 && end > 0 ? 1 : 0) - (end == size_ && begin < size_ ? 1 : 0);
  }
  [[nodiscard]] StageContent content(std::span<const LayerCost> layers, Recompute kind,
                                     std::int64_t begin, std::int64_t end) const;

 private:
  std::int64_t size_ = 0;
  std::vector<std::vector<std::int64_t>> before_;  // by type, then position
};

// Blocks a slot may hold: the stack's or the schedule's rule, or a pinned count.
struct BlockRange {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

struct StageProblem {
  const StageContext* context = nullptr;
  const ChainCounts* chain = nullptr;
  std::vector<StageOption> options;  // each stage takes one of these
  std::vector<BlockRange> ranges;    // by slot - 1
  Bytes usable;
};

struct StageCut {
  std::int64_t begin = 0;  // layers [begin, end) of the chain
  std::int64_t end = 0;
  StageOption option;
};

struct StageSolution {
  Seconds step;
  std::vector<StageCut> stages;  // first stage first
};

// No split of this problem is faster: average load, heaviest layer, least sum (proof at the
// definition). Infinite when the layers cannot fit.
[[nodiscard]] Seconds stage_bound(const StageProblem& problem);

// The best split strictly faster than `limit`, or nothing. Exact.
[[nodiscard]] std::optional<StageSolution> solve_stages(const StageProblem& problem, Seconds limit);

}  // namespace nestplan
