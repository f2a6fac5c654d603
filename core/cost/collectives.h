// Time of collectives over a group of ranks, as affine functions of the bytes each device holds.
// Every rate is an achieved one, per device and direction (topology/network.h).
#pragma once

#include <array>
#include <cstdint>

#include "base/units.h"
#include "topology/network.h"

namespace nestplan {

enum class Collective { kReduceScatter, kAllGather, kAllReduce };
enum class Form { kNone, kHierarchical, kRing, kPointToPoint };
[[nodiscard]] const char* form_name(Form form);

// t(bytes) = latency + seconds_per_byte * bytes.
struct Affine {
  Seconds latency;
  double seconds_per_byte = 0;
  [[nodiscard]] Seconds at(Bytes bytes) const {
    return latency + Seconds(seconds_per_byte * bytes.value());
  }
};

struct CollectiveTime {
  Seconds time;
  Form form = Form::kNone;
};

// The forms of one collective on one group, priced once; `at` takes the cheapest for the bytes.
class CollectiveTable {
 public:
  CollectiveTable() = default;
  CollectiveTable(Collective collective, const Network& network, const Members& members);
  // Reduce-scatter and all-gather: bytes of the whole (unsharded) tensor. All-reduce:
  // bytes of the tensor every device holds. 0 for a group of one.
  [[nodiscard]] CollectiveTime at(Bytes bytes) const;
  [[nodiscard]] Seconds time(Bytes bytes) const { return at(bytes).time; }

 private:
  std::array<Affine, 3> forms_{};
  std::array<Form, 3> names_{};
  std::size_t count_ = 0;
};

// Reduce-scatter (and, mirrored, all-gather) inward-out: level l moves what is left,
// (1/P_{l-1} - 1/P_l) of the tensor, at its own rate; a step per doubling of the members.
// Source: NEST, arXiv 2603.06798 (hierarchical collectives); Abel summation in search/bounds.h.
[[nodiscard]] Affine hierarchical_reduce_scatter(const Network& network, const Members& members);

// One flat ring over all P members: (P - 1)/P of the tensor at the slowest link, where a level is
// driven by the P_{l-1} members below it together (one ring per rail); P - 1 steps.
// Source: Patarasuk and Yuan, 2009; rails as in NCCL.
[[nodiscard]] Affine ring_reduce_scatter(const Network& network, const Members& members);

// One message to a rank across `level`.
[[nodiscard]] Affine point_to_point(const Network& network, std::int64_t level);

// All-to-all in which every device sends `bytes` in all, spread evenly over the group (its own
// share stays): all levels work at once, the busiest decides; a ring or line is limited by its
// bisection. One latency step per level crossed.
[[nodiscard]] Affine all_to_all(const Network& network, const Members& members);

}  // namespace nestplan
