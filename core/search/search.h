// Best-first branch and bound over classes, splits and leaves; resumable. The answer is optimal for
// the cost model when `done`: every node left in the heap has a bound above the worst plan kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cost/job.h"
#include "search/leaf.h"
#include "search/space.h"

namespace nestplan {

struct SearchStatus {
  bool done = false;
  std::int64_t pops = 0;
  std::int64_t leaves_priced = 0;
  std::int64_t nodes_made = 0;
  std::int64_t nodes_pruned = 0;
  std::int64_t heap_peak = 0;
  Seconds bound;  // no plan is faster
};

class Search {
 public:
  // `keep`: how many layouts are found and proved, best first. A layout is a configuration apart
  // from its order and interleaving, of which each has its best.
  Search(const Job& job, const FixedDegrees& fixed, std::int64_t keep);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // At most `pops` node expansions.
  void step(std::int64_t pops);
  [[nodiscard]] const SearchStatus& status() const;
  [[nodiscard]] const std::vector<Solution>& best() const;  // best first; empty: none found

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nestplan
