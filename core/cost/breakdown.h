// Itemised costs. Every total is the sum of its parts, computed and never stored beside them.
#pragma once

#include "base/units.h"

namespace nestplan {

// Time of one micro-batch on one stage (all its chunks), forward and backward.
struct LoadParts {
  Seconds forward;   // compute
  Seconds backward;  // compute, without recompute
  Seconds recompute;
  Seconds tensor_parallel;  // exposed communication, likewise below
  Seconds context_parallel;
  Seconds expert_parallel;
  Seconds pipeline;       // send/recv
  Seconds data_parallel;  // ZeRO 2 and 3 traffic of every micro-batch
  Seconds host;           // waiting for kernel launches
  [[nodiscard]] Seconds total() const {
    return forward + backward + recompute + tensor_parallel + context_parallel + expert_parallel +
           pipeline + data_parallel + host;
  }
};

// The step: M times the slowest stage, plus what is not steady state.
struct StepParts {
  LoadParts steady;            // M * load of the slowest stage
  Seconds bubble;              // (sum of loads - slowest) / vpp: pipeline fill, drain and imbalance
  Seconds growth;              // slowdown with the number of devices
  Seconds data_parallel_sync;  // exposed gradient reduction and parameter gathering, once a step
  Seconds tied_embedding_sync;
  Seconds optimizer;
  Seconds fixed;  // stack overhead of every step
  [[nodiscard]] Seconds total() const {
    return steady.total() + bubble + growth + data_parallel_sync + tied_embedding_sync + optimizer +
           fixed;
  }
};

// One device of a stage.
struct MemoryParts {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;
  Bytes activations;
  Bytes logits;
  Bytes buffers;  // largest transient: recompute working set, gathered layers, dispatch buffers
  Bytes reserve;  // fragmentation, context, communicators
  [[nodiscard]] Bytes total() const {
    return weights + gradients + optimizer + activations + logits + buffers + reserve;
  }
};

}  // namespace nestplan
