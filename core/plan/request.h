// The one question nestplan answers, fully resolved: no preset names, no defaults left open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/config.h"
#include "cost/training.h"
#include "model/spec.h"
#include "topology/cluster.h"

namespace nestplan {

// A pinned field has exactly this value in the plan; an empty one is free.
struct Pins {
  std::optional<std::int64_t> tp, cp, ep, etp, dp, pp, vpp, mbs, zero;
  std::optional<bool> sp;
  std::optional<Recompute> recompute;
  std::optional<std::string> order;
  std::optional<std::vector<std::int64_t>> stage_layers;  // blocks per stage, first stage first
  friend bool operator==(const Pins&, const Pins&) = default;
};

struct SearchSettings {
  Pins pins;
  std::int64_t max_micro_batch = 16;  // largest micro-batch size tried, sequences
  std::int64_t alternatives = 3;      // further plans returned beside the best
  friend bool operator==(const SearchSettings&, const SearchSettings&) = default;
};

struct Request {
  ModelSpec model;
  Cluster cluster;
  Training training;
  Stack stack;
  SearchSettings search;
  friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace nestplan
