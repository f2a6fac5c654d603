// Exact search under the NEST artifact's objective.
//
//   step(tp, dp, S, cuts) = max_k load_k * (ceil(M / dp) + S - 1) + resync(P of stage 0, dp, S)
//
// Why it is exact.
// 1. load_k and the memory of stage k depend on its layers and its slot p only: slots count from
// the
//    end and slot p sits on devices (p - 1) a ... p a - 1, whatever S and dp are. Hence for one
//    width, with f[p][i] = least possible maximum load when layers i ... L - 1 form p stages,
//      f[p][i] = min over k of max(load(i, k, p), f[p - 1][k]),  f[0][L] = 0,
//    serves every S and dp. Every k is tried: the load need not grow with k, because the edges cut
//    there differ (extend).
// 2. The first stage is slot S and enters the step twice: by its load and by its parameters P. For
//    each S every k is tried; a cut with no less load and no less P than another is dropped, as the
//    step grows with both (first_stages).
// 3. Among the dp with equal q = ceil(M / dp) the least is best: resync grows with dp (more halving
//    rounds, a farther common ancestor, no negative term). So one dp per q is tried (close).
//
// Why the pruning is safe. best is the step of a plan in hand; what is pruned is no faster.
// a. With q(p) = ceil(M / largest dp that p stages leave room for), a plan of S >= p stages has
//    step >= load_k (q(p) + p - 1) for each stage, since q grows with p. So a value f[p][i] of at
//    least best / (q(p) + p - 1) is as good as infinity.
// b. A stage takes at least the sum of its layers' forward and backward times, which grows with k:
// the
//    inner loop ends once that reaches the value in hand. Memory too grows with k, and with p.
// c. Some stage of S takes at least max(total / S, heaviest layer): p stops growing once that
// bound's
//    step, minimised over all S >= p, reaches best.
//
// What it leaves out: when not even the last layer fits by itself, no plan fits, and the artifact
// then turns to ZeRO, which its objective does not price. We answer that no plan fits.
#include "search/nest_instance.h"

#include <algorithm>
#include <limits>

#include "base/math.h"
#include "search/nest_intervals.h"

namespace nestplan {
namespace {

constexpr double kNever = std::numeric_limits<double>::max();

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// The search over one width. Positions i, k and slots p as above.
class WidthSearch {
 public:
  // Precondition: one stage of this width has its devices.
  WidthSearch(const NestInstance& instance, const NestGraph& graph);
  // Replaces `best` if this width has a faster plan.
  void improve(NestPlan& best);

 private:
  struct FirstStage {
    std::int64_t end;   // its layers are 0 ... end - 1
    double load;        // the largest of the whole pipeline
    double parameters;  // of this stage
  };
  [[nodiscard]] std::int64_t largest_dp(std::int64_t p) const {
    return std::min(instance_.micro_batches, instance_.devices / (p * stage_devices_));
  }
  [[nodiscard]] double rounds(std::int64_t dp, std::int64_t p) const {
    return static_cast<double>(ceil_div(instance_.micro_batches, dp) + p - 1);
  }
  // Between slots p and p + 1.
  [[nodiscard]] std::int64_t level_above(std::int64_t p) const {
    return nest_level(instance_, (p - 1) * stage_devices_, p * stage_devices_);
  }
  [[nodiscard]] const IntervalTable& backward(std::int64_t p) {
    return p == 1 ? intervals_.last_backward() : intervals_.backward(level_above(p - 1));
  }
  void bound_steps();
  void shrink_to_memory(std::int64_t i, std::int64_t p);
  void extend(std::int64_t p, double cap);
  [[nodiscard]] std::vector<FirstStage> first_stages(std::int64_t p, double cap);
  void close(std::int64_t p, const std::vector<FirstStage>& stages, NestPlan& best) const;
  [[nodiscard]] std::vector<std::int64_t> trace(std::int64_t p, std::int64_t end) const;

  const NestInstance& instance_;
  const NestGraph& graph_;
  std::int64_t layers_;
  std::int64_t stage_devices_;  // a
  std::int64_t most_stages_;
  NestIntervals intervals_;
  std::vector<double> compute_;      // forward and backward of layers 0 ... k - 1
  std::vector<double> least_step_;   // [p]: no plan of p or more stages is faster
  std::vector<std::int64_t> reach_;  // [i]: largest k such that i ... k - 1 fit in the current slot
  std::vector<double> least_;        // f[p - 1] before extend(p), f[p] after
  std::vector<std::vector<std::int64_t>> cut_;  // [p][i]: the k of f[p][i]
};

WidthSearch::WidthSearch(const NestInstance& instance, const NestGraph& graph)
    : instance_(instance),
      graph_(graph),
      layers_(std::ssize(graph.layers)),
      stage_devices_(graph.tp * instance.expert * instance.context),
      most_stages_(std::min(layers_, instance.devices / stage_devices_)),
      intervals_(instance, graph),
      compute_(1, 0),
      reach_(index(layers_), layers_),
      least_(index(layers_) + 1, kNever),
      cut_(1) {
  least_.back() = 0;
  bound_steps();
}

void WidthSearch::bound_steps() {
  double heaviest = 0;
  for (const NestLayer& layer : graph_.layers) {
    compute_.push_back(compute_.back() + layer.forward + layer.backward);
    heaviest = std::max(heaviest, layer.forward + layer.backward);
  }
  least_step_.assign(index(most_stages_) + 2, kNever);
  for (std::int64_t p = most_stages_; p >= 1; --p) {
    const double load = std::max(compute_.back() / static_cast<double>(p), heaviest);
    least_step_[index(p)] = std::min(least_step_[index(p + 1)], load * rounds(largest_dp(p), p));
  }
}

void WidthSearch::improve(NestPlan& best) {
  for (std::int64_t p = 1; p <= most_stages_; ++p) {
    const auto ceiling = [&] { return best.feasible ? best.step : kNever; };
    if (least_step_[index(p)] >= ceiling()) return;
    const double factor = rounds(largest_dp(p), p);
    close(p, first_stages(p, ceiling() / factor), best);
    extend(p, ceiling() / factor);
  }
}

// Memory grows with k and with p, so reach_[i] only ever falls.
void WidthSearch::shrink_to_memory(std::int64_t i, std::int64_t p) {
  const double* base = intervals_.base_memory().row(i);
  const double* stash = intervals_.stash().row(i);
  std::int64_t& reach = reach_[index(i)];
  const double waiting = static_cast<double>(p - 1);
  while (reach > i && base[reach] + waiting * stash[reach] > instance_.memory) --reach;
}

// f[p - 1] -> f[p] in place: row i reads only k > i, which is why i ascends. Layer 0 starts the
// first stage, which first_stages treats.
void WidthSearch::extend(std::int64_t p, double cap) {
  cut_.emplace_back(index(layers_), 0);
  if (p == most_stages_) return;
  const IntervalTable& forward = intervals_.forward(level_above(p));
  const IntervalTable& backward_table = backward(p);
  for (std::int64_t i = 1; i < layers_; ++i) {
    shrink_to_memory(i, p);
    const double* fore = forward.row(i);
    const double* back = backward_table.row(i);
    double value = cap;
    std::int64_t cut = 0;
    for (std::int64_t k = p == 1 ? layers_ : i + 1; k <= reach_[index(i)]; ++k) {
      if (compute_[index(k)] - compute_[index(i)] >= value) break;
      const double load = std::max(fore[k] + back[k], least_[index(k)]);
      if (load < value) {
        value = load;
        cut = k;
      }
    }
    least_[index(i)] = cut > 0 ? value : kNever;
    cut_.back()[index(i)] = cut;
  }
  least_.back() = kNever;
}

std::vector<WidthSearch::FirstStage> WidthSearch::first_stages(std::int64_t p, double cap) {
  shrink_to_memory(0, p);
  const double* fore = intervals_.forward(0).row(0);  // nothing arrives from before layer 0
  const double* back = backward(p).row(0);
  std::vector<FirstStage> stages;
  double parameters = 0;
  double value = cap;
  for (std::int64_t k = 1; k <= reach_.front() && compute_[index(k)] < value; ++k) {
    parameters += graph_.layers[index(k - 1)].parameters;
    const double load = std::max(fore[k] + back[k], least_[index(k)]);
    if (load >= value) continue;  // parameters grow with k: only a smaller load is of use
    value = load;
    stages.push_back(FirstStage{k, load, parameters});
  }
  return stages;
}

void WidthSearch::close(std::int64_t p, const std::vector<FirstStage>& stages,
                        NestPlan& best) const {
  if (stages.empty()) return;
  const double least_load = stages.back().load;
  std::int64_t end = 0;
  for (std::int64_t dp = largest_dp(p); dp >= 1; --dp) {
    const std::int64_t per_replica = ceil_div(instance_.micro_batches, dp);
    dp = ceil_div(instance_.micro_batches, per_replica);  // the least with as many
    if (best.feasible && least_load * rounds(dp, p) >= best.step) break;
    for (const FirstStage& stage : stages) {
      const double step = stage.load * rounds(dp, p) +
                          nest_resync(instance_, stage.parameters, dp, p * stage_devices_);
      if (best.feasible && step >= best.step) continue;
      best = NestPlan{true, step, dp, graph_.tp, p, {}};
      end = stage.end;
    }
  }
  if (end > 0) best.cuts = trace(p, end);
}

std::vector<std::int64_t> WidthSearch::trace(std::int64_t p, std::int64_t end) const {
  std::vector<std::int64_t> cuts{0, end};
  while (--p > 0) cuts.push_back(cut_[index(p)][index(cuts.back())]);
  return cuts;
}

}  // namespace

NestPlan solve_nest(const NestInstance& instance) {
  NestPlan best;
  const std::int64_t widest = instance.devices / instance.expert / instance.context;
  for (const NestGraph& graph : instance.graphs)
    if (graph.tp <= widest) WidthSearch(instance, graph).improve(best);
  return best;
}

}  // namespace nestplan
