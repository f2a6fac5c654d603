// Accelerators and the network between them, as levels (innermost first).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace nestplan {

struct Accelerator {
  std::string name;
  Bytes memory;                     // what the driver reports, not the label
  BytesPerSecond memory_bandwidth;  // nominal
  double memory_efficiency = 0;     // achieved share of it by memory-bound operators
  FlopsPerSecond compute;           // dense bf16 peak
  double matmul_efficiency = 0;     // achieved share of the peak by a large matmul
  double attention_efficiency = 0;  // achieved share by the attention kernel at head_dim 128
  std::int64_t cores = 0;           // streaming multiprocessors; 0: no tile quantisation (TPU)
  double power_w = 0;               // thermal design power of one device; 0: unknown
  double price_per_hour = 0;        // US dollars per device; 0: unknown
  friend bool operator==(const Accelerator&, const Accelerator&) = default;
};

enum class LevelKind { kSwitch, kRing, kTorus };

struct Level {
  std::string name;
  std::int64_t arity = 0;    // children per group; 0 in a preset's outermost level: the rest
  BytesPerSecond bandwidth;  // nominal, per device and direction, all talking at once
  double efficiency = 1;     // achieved share of it
  Seconds latency;
  LevelKind kind = LevelKind::kSwitch;
  std::vector<std::int64_t> dims;  // torus only: sizes, product = arity
  friend bool operator==(const Level&, const Level&) = default;
};

struct Cluster {
  std::string name;
  Accelerator accelerator;
  std::vector<Level> levels;  // innermost first
  std::int64_t devices = 0;
  friend bool operator==(const Cluster&, const Cluster&) = default;
};

}  // namespace nestplan
