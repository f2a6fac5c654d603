#include "cost/collectives.h"

#include <algorithm>

#include "base/math.h"

namespace nestplan {
namespace {

// The part of a group that meets at level l: how many sub-groups, and the rate between them.
struct Stage {
  double below;  // members inside one sub-group, P_{l-1}
  double parts;  // sub-groups, P_l / P_{l-1}
  BytesPerSecond rate;
  Seconds latency;
};

Stage stage_at(const Network& network, const Members& members, std::size_t l) {
  const NetworkLevel& level = network.levels[l];
  const auto below = l == 0 ? 1.0 : static_cast<double>(members.within[l - 1]);
  const double parts = static_cast<double>(members.within[l]) / below;
  // A ring in which the group's members do not close the circle is a line: half the rate.
  const bool line = level.ring_size > 0 && parts < static_cast<double>(level.ring_size);
  return {below, parts, line ? level.bandwidth * 0.5 : level.bandwidth, level.latency};
}

}  // namespace

const char* form_name(Form form) {
  switch (form) {
    case Form::kHierarchical: return "hierarchical";
    case Form::kRing: return "ring";
    case Form::kPointToPoint: return "point to point";
    case Form::kNone: break;
  }
  return "none";
}

Affine hierarchical_reduce_scatter(const Network& network, const Members& members) {
  Affine cost;
  for (std::size_t l = 0; l < network.levels.size(); ++l) {
    const Stage stage = stage_at(network, members, l);
    if (stage.parts <= 1) continue;
    const double share = 1 / stage.below - 1 / (stage.below * stage.parts);
    cost.seconds_per_byte += share / stage.rate.value();
    cost.latency += stage.latency * log2_of(stage.parts);
  }
  return cost;
}

Affine ring_reduce_scatter(const Network& network, const Members& members) {
  const auto size = static_cast<double>(members.size);
  double slowest = 0;
  Seconds latency(0);
  for (std::size_t l = 0; l < network.levels.size(); ++l) {
    const Stage stage = stage_at(network, members, l);
    if (stage.parts <= 1) continue;
    const double rate = stage.rate.value() * stage.below;
    slowest = slowest == 0 ? rate : std::min(slowest, rate);
    latency = stage.latency;
  }
  if (slowest == 0) return {};
  return {latency * (size - 1), (1 - 1 / size) / slowest};
}

Affine point_to_point(const Network& network, std::int64_t level) {
  const NetworkLevel& across = network.levels[static_cast<std::size_t>(level)];
  const double share = across.ring_size > 0 ? 0.5 : 1;  // one of a ring's two directions
  return {across.latency, 1 / (across.bandwidth.value() * share)};
}

Affine all_to_all(const Network& network, const Members& members) {
  Affine cost;
  const auto size = static_cast<double>(members.size);
  for (std::size_t l = 0; l < network.levels.size(); ++l) {
    const Stage stage = stage_at(network, members, l);
    if (stage.parts <= 1) continue;
    const double leaving = (size - stage.below) / size;
    double load = leaving / stage.rate.value();
    if (network.levels[l].ring_size > 0) {
      // Bisection of n members: n/2 send n/2 shares each across two links (ring) or one (line);
      // against a rate of two links that is n/4 shares, or n/4 again at the line's halved rate.
      load = std::max(load, stage.parts / 4 * leaving / stage.rate.value());
    }
    cost.seconds_per_byte = std::max(cost.seconds_per_byte, load);
    cost.latency += stage.latency;
  }
  return cost;
}

CollectiveTable::CollectiveTable(Collective collective, const Network& network,
                                 const Members& members) {
  if (members.size <= 1) return;
  const auto add = [this](Form form, Affine affine) {
    names_[count_] = form;
    forms_[count_] = affine;
    ++count_;
  };
  // All-reduce = reduce-scatter + all-gather.
  const bool twice = collective == Collective::kAllReduce;
  const double times = twice ? 2 : 1;
  const Affine inward = hierarchical_reduce_scatter(network, members);
  add(Form::kHierarchical, {inward.latency * times, inward.seconds_per_byte * times});
  const Affine ring = ring_reduce_scatter(network, members);
  add(Form::kRing, {ring.latency * times, ring.seconds_per_byte * times});
}

CollectiveTime CollectiveTable::at(Bytes bytes) const {
  if (count_ == 0 || bytes <= Bytes(0)) return {};
  CollectiveTime best{forms_[0].at(bytes), names_[0]};
  for (std::size_t i = 1; i < count_; ++i) {
    const Seconds time = forms_[i].at(bytes);
    if (time < best.time) best = {time, names_[i]};
  }
  return best;
}

}  // namespace nestplan
