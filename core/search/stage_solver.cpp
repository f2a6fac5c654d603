// Solved from the last stage to the first: front(slot, i) holds every undominated (longest load,
// sum of loads, largest tail) of slots 1..slot holding layers [i, size). The step is non-decreasing
// in all three, so a dominated state never leads to a better plan: the search is exact. Three rules
// keep the fronts small, none of which can cut the optimum:
//  - cap: a stage longer than the cap cannot be part of a plan faster than the limit, because
//    (M - 1/v) longest + least sum / v + least tail already reaches it;
//  - reach: slots before this one cannot hold more layers than a greedy fill from the front (loads
//    and memory grow with the interval, so the greedy end is the furthest for every start);
//  - value: a state whose bound with the least sum of the layers still to come reaches the limit.
// The cap starts just above the bound and grows until a plan is found; then one last pass with the
// cap that the found plan implies proves it.
#include "search/stage_solver.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace nestplan {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Choice {
  Seconds load;
  Seconds tail;
  std::int32_t option;
};

struct State {
  Seconds longest;
  Seconds sum;
  Seconds tail;
  std::int32_t option = 0;
  std::int32_t end = 0;       // where this stage ends
  std::int32_t previous = 0;  // index in front(slot - 1, end)
};

// Sums of the same loads in another order differ by rounding; taken as different they would fill
// the fronts. At most pp * 1e-14 of the step is lost, below the 1e-12 to which optima are claimed.
constexpr double kSameSum = 1 + 1e-14;

bool dominates(const State& a, const State& b) {
  return a.longest <= b.longest && a.sum <= b.sum * kSameSum && a.tail <= b.tail;
}

void insert_undominated(std::vector<State>& front, const State& state) {
  for (const State& other : front) {
    if (dominates(other, state)) return;
  }
  std::erase_if(front, [&state](const State& other) { return dominates(state, other); });
  front.push_back(state);
}

// Least time and tail of the whole chain over the options: what every split has at least.
struct Least {
  Seconds sum;      // of loads over all stages
  Seconds longest;  // of the longest stage
  Seconds tail;
};

class Solver {
 public:
  Solver(const StageProblem& problem, Seconds limit)
      : problem_(problem),
        context_(*problem.context),
        chain_(*problem.chain),
        terms_(step_terms(context_)),
        slots_(context_.config.pp),
        limit_(limit) {}

  [[nodiscard]] Least least() const;
  [[nodiscard]] bool cannot_fit() const;
  [[nodiscard]] Seconds bound() const {
    if (slots_ > chain_.size() || cannot_fit()) return Seconds(kInfinite);
    const Least l = least();
    return terms_.step(l.longest, l.sum, l.tail);
  }
  std::optional<StageSolution> solve();

 private:
  void sum_from_front();
  [[nodiscard]] Seconds cap_for(const Least& l) const;
  [[nodiscard]] std::vector<std::int64_t> reach_from_front(Seconds cap);
  void choices(std::int64_t begin, std::int64_t end, std::int64_t slot, Seconds cap);
  [[nodiscard]] std::int64_t furthest_end(std::int64_t begin, std::int64_t slot, Seconds cap);
  bool run(Seconds cap, const Least& l);
  [[nodiscard]] std::vector<State> extend(std::int64_t slot, std::int64_t begin, Seconds cap,
                                          const Least& l);
  [[nodiscard]] StageSolution trace(const State& last) const;
  // Empty outside the band of positions that a slot can start at.
  [[nodiscard]] std::span<const State> front(std::int64_t slot, std::int64_t begin) const {
    const Row& row = rows_[static_cast<std::size_t>(slot)];
    const std::int64_t at = begin - row.first;
    if (at < 0 || at >= std::ssize(row.fronts)) return {};
    return row.fronts[static_cast<std::size_t>(at)];
  }

  const StageProblem& problem_;
  const StageContext& context_;
  const ChainCounts& chain_;
  StepTerms terms_;
  std::int64_t slots_;
  Seconds limit_;
  std::vector<Seconds> least_before_;     // least sum of loads of layers [0, i), without boundaries
  std::vector<Seconds> boundary_before_;  // of the first k stages
  struct Row {
    std::int64_t first = 0;  // position of fronts[0]
    std::vector<std::vector<State>> fronts;
  };
  std::vector<Row> rows_;  // by slot; slot 0 stands after the last layer
  std::vector<Choice> choices_;
  std::optional<StageSolution> best_;
};

// Least loads and boundaries of everything before a position, for the value rule.
void Solver::sum_from_front() {
  const std::int64_t size = chain_.size();
  least_before_.assign(static_cast<std::size_t>(size + 1), Seconds(kInfinite));
  std::array<bool, 3> known{};
  for (const StageOption& option : problem_.options) {
    bool& seen = known[static_cast<std::size_t>(option.recompute)];
    if (seen) continue;
    seen = true;
    for (std::int64_t i = 0; i <= size; ++i) {
      Seconds& least = least_before_[static_cast<std::size_t>(i)];
      least = min(least, chain_.content(context_.layers, option.recompute, 0, i).load);
    }
  }
  boundary_before_.assign(static_cast<std::size_t>(slots_ + 1), Seconds(0));
  for (std::int64_t k = 0; k < slots_; ++k) {
    const auto index = static_cast<std::size_t>(k);
    boundary_before_[index + 1] = boundary_before_[index] + context_.boundary[index];
  }
}

// Sum: every layer costs at least its cheapest option, every stage its boundary, and the ZeRO 2 and
// 3 traffic of the stages together at least that of the whole chain at once (transfer times are
// concave in the bytes and positive at zero, hence subadditive; only their `dp_exposed` share is
// counted). Longest: the average, and the heaviest single layer. Tail: the optimizer time of an
// average stage (it is linear in the parameters; the largest is at least the average).
Least Solver::least() const {
  Least best{Seconds(kInfinite), Seconds(kInfinite), Seconds(kInfinite)};
  const auto stages = static_cast<double>(slots_);
  for (const StageOption& option : problem_.options) {
    const StageContent all = chain_.content(context_.layers, option.recompute, 0, chain_.size());
    Seconds sum = all.load;
    for (const Seconds boundary : context_.boundary) sum += boundary;
    if (option.zero >= 2) {
      StageContent hidden = all;
      hidden.forward = Seconds(kInfinite);
      hidden.backward = Seconds(kInfinite);
      sum += data_traffic(context_, hidden, option).per_micro_batch;
    }
    best.sum = min(best.sum, sum);
    best.tail = min(best.tail, optimizer_time(context_, all, option) / stages);
  }
  Seconds heaviest(0);
  for (std::size_t t = 0; t < context_.layers.size(); ++t) {
    heaviest = max(heaviest, context_.layers[t].under(Recompute::kNone).load);
  }
  best.longest = max(best.sum / stages, heaviest);
  return best;
}

// True only when no split fits: each slot holds at most as many blocks as the leanest block type
// allows under the leanest option, and together they must hold all.
bool Solver::cannot_fit() const {
  std::int64_t held = 0;
  const std::int64_t blocks = chain_.blocks(0, chain_.size());
  for (std::int64_t slot = 1; slot <= slots_ && held < blocks; ++slot) {
    std::int64_t most = -1;
    for (const StageOption& option : problem_.options) {
      StageContent ends;
      const Bytes fixed = stage_memory(context_, ends, option, slot).total();
      if (fixed > problem_.usable) continue;
      Bytes least(kInfinite);
      for (const LayerCost& layer : context_.layers) {
        if (!layer.block) continue;
        StageContent one;
        one.add(layer, option.recompute, 1);
        one.working = Bytes(0);
        one.gathered_parameters = 0;
        least = min(least, stage_memory(context_, one, option, slot).total() - fixed);
      }
      const double room = (problem_.usable - fixed) / max(least, Bytes(1));
      const double capped = std::min(room * (1 + 1e-12), static_cast<double>(blocks));
      most = std::max(most, static_cast<std::int64_t>(capped));
    }
    if (most < 0) return true;
    const BlockRange range = problem_.ranges[static_cast<std::size_t>(slot - 1)];
    held += std::min(most, range.most);
  }
  return held < blocks;
}

Seconds Solver::cap_for(const Least& l) const {
  const double weight = (terms_.micro_batches - 1 / terms_.vpp) * terms_.growth;
  if (weight <= 0) return Seconds(kInfinite);
  const Seconds rest = l.sum / terms_.vpp * terms_.growth + l.tail + terms_.constant;
  return (limit_ - rest) / weight;
}

// Options of stage [begin, end) in `slot` that fit and stay within the cap, into choices_.
void Solver::choices(std::int64_t begin, std::int64_t end, std::int64_t slot, Seconds cap) {
  choices_.clear();
  std::array<bool, 3> known{};
  std::array<StageContent, 3> contents;
  for (std::size_t o = 0; o < problem_.options.size(); ++o) {
    const StageOption& option = problem_.options[o];
    const auto kind = static_cast<std::size_t>(option.recompute);
    if (!known[kind]) {
      contents[kind] = chain_.content(context_.layers, option.recompute, begin, end);
      known[kind] = true;
    }
    if (contents[kind].load > cap) continue;
    const StagePrice price = price_stage(context_, contents[kind], option, slot);
    if (price.load > cap || price.memory > problem_.usable) continue;
    const bool dominated = std::any_of(choices_.begin(), choices_.end(), [&price](const Choice& c) {
      return c.load <= price.load && c.tail <= price.tail;
    });
    if (!dominated) choices_.push_back({price.load, price.tail, static_cast<std::int32_t>(o)});
  }
}

std::int64_t Solver::furthest_end(std::int64_t begin, std::int64_t slot, Seconds cap) {
  const BlockRange range = problem_.ranges[static_cast<std::size_t>(slot - 1)];
  std::int64_t good = begin;
  std::int64_t step = 1;
  const auto fits = [&](std::int64_t end) {
    if (chain_.blocks(begin, end) > range.most) return false;
    choices(begin, end, slot, cap);
    return !choices_.empty();
  };
  while (good + step <= chain_.size() && fits(good + step)) {
    good += step;
    step *= 2;
  }
  for (; step >= 1; step /= 2) {
    if (good + step <= chain_.size() && fits(good + step)) good += step;
  }
  return good;
}

// reach[k]: the furthest position that the first k stages can fill together.
std::vector<std::int64_t> Solver::reach_from_front(Seconds cap) {
  std::vector<std::int64_t> reach(static_cast<std::size_t>(slots_ + 1), 0);
  for (std::int64_t k = 0; k < slots_; ++k) {
    const auto index = static_cast<std::size_t>(k);
    reach[index + 1] = furthest_end(reach[index], slots_ - k, cap);
  }
  return reach;
}

std::vector<State> Solver::extend(std::int64_t slot, std::int64_t begin, Seconds cap,
                                  const Least& l) {
  const BlockRange range = problem_.ranges[static_cast<std::size_t>(slot - 1)];
  std::vector<State> target;
  const Seconds before = least_before_[static_cast<std::size_t>(begin)] +
                         boundary_before_[static_cast<std::size_t>(slots_ - slot)];
  const std::int64_t first = slot == 1 ? chain_.size() : begin + 1;
  const std::int64_t last = chain_.size() - slot + 1;
  for (std::int64_t end = first; end <= last; ++end) {
    const std::span<const State> later = front(slot - 1, end);
    if (later.empty()) continue;
    const std::int64_t blocks = chain_.blocks(begin, end);
    if (blocks < range.least) continue;
    if (blocks > range.most) break;
    choices(begin, end, slot, cap);
    if (choices_.empty()) break;  // a longer stage fits no better
    for (std::size_t p = 0; p < later.size(); ++p) {
      for (const Choice& choice : choices_) {
        const State state{max(later[p].longest, choice.load), later[p].sum + choice.load,
                          max(later[p].tail, choice.tail),    choice.option,
                          static_cast<std::int32_t>(end),     static_cast<std::int32_t>(p)};
        const Seconds value =
            terms_.step(max(state.longest, l.longest), state.sum + before, max(state.tail, l.tail));
        if (value * (1 - 1e-12) < limit_) insert_undominated(target, state);
      }
    }
  }
  return target;
}

StageSolution Solver::trace(const State& last) const {
  StageSolution solution;
  State state = last;
  std::int64_t begin = 0;
  for (std::int64_t slot = slots_; slot >= 1; --slot) {
    solution.stages.push_back(
        {begin, state.end, problem_.options[static_cast<std::size_t>(state.option)]});
    begin = state.end;
    if (slot > 1) state = front(slot - 1, begin)[static_cast<std::size_t>(state.previous)];
  }
  return solution;
}

// One pass under a cap. True when it improved on the limit.
bool Solver::run(Seconds cap, const Least& l) {
  const std::vector<std::int64_t> reach = reach_from_front(cap);
  if (reach.back() < chain_.size()) return false;
  rows_.assign(static_cast<std::size_t>(slots_ + 1), {});
  rows_[0] = {chain_.size(), {{State{}}}};
  for (std::int64_t slot = 1; slot <= slots_; ++slot) {
    const std::int64_t before = slots_ - slot;  // stages still to come, one layer each at least
    const std::int64_t reached = reach[static_cast<std::size_t>(before)];
    const std::int64_t highest = std::min(reached, chain_.size() - slot);
    // Positions beyond `reached` cannot be filled from the front; the first stage starts at 0.
    std::vector<std::vector<State>> fronts;
    for (std::int64_t begin = before; begin <= highest; ++begin) {
      fronts.push_back(extend(slot, begin, cap, l));
    }
    rows_[static_cast<std::size_t>(slot)] = {before, std::move(fronts)};
  }
  bool improved = false;
  for (const State& state : front(slots_, 0)) {
    const Seconds step = terms_.step(state.longest, state.sum, state.tail);
    if (step < limit_) {
      limit_ = step;
      best_ = trace(state);
      best_->step = step;
      improved = true;
    }
  }
  return improved;
}

std::optional<StageSolution> Solver::solve() {
  if (slots_ > chain_.size() || cannot_fit()) return std::nullopt;
  const Least l = least();
  if (terms_.step(l.longest, l.sum, l.tail) * (1 - 1e-12) >= limit_) return std::nullopt;
  sum_from_front();
  for (const double slack : {1.02, 1.1, 1.35, 2.0, 4.0, 16.0, kInfinite}) {
    const Seconds most = cap_for(l) * (1 + 1e-12);
    const Seconds cap = min(l.longest * slack, most);
    if (run(cap, l)) {
      const Seconds proof = cap_for(l) * (1 + 1e-12);
      if (proof > cap) run(proof, l);
      return best_;
    }
    if (cap >= most) break;
  }
  return best_;
}

}  // namespace

ChainCounts::ChainCounts(const LayerChain& chain) {
  const std::vector<std::int64_t> types = chain.expanded();
  size_ = std::ssize(types);
  before_.assign(chain.types.size(), std::vector<std::int64_t>(types.size() + 1, 0));
  for (std::size_t i = 0; i < types.size(); ++i) {
    for (std::size_t t = 0; t < before_.size(); ++t) {
      before_[t][i + 1] = before_[t][i] + (types[i] == static_cast<std::int64_t>(t) ? 1 : 0);
    }
  }
}

StageContent ChainCounts::content(std::span<const LayerCost> layers, Recompute kind,
                                  std::int64_t begin, std::int64_t end) const {
  StageContent content;
  for (std::size_t t = 0; t < layers.size(); ++t) {
    content.add(layers[t], kind, count(t, begin, end));
  }
  content.head = end == size_ && begin < end;
  return content;
}

Seconds stage_bound(const StageProblem& problem) {
  return Solver(problem, Seconds(kInfinite)).bound();
}

std::optional<StageSolution> solve_stages(const StageProblem& problem, Seconds limit) {
  CHECK(std::ssize(problem.ranges) == problem.context->config.pp, "one block range per slot");
  return Solver(problem, limit).solve();
}

}  // namespace nestplan
