// The machines and the network between them.
#include "io/fields.h"

namespace nestplan {
namespace {

constexpr std::string_view kFit = "Fitted to published training runs; see the accuracy page.";

}  // namespace

template <>
const std::vector<Field<Accelerator>>& fields_of() {
  using A = Accelerator;
  static const std::vector<Field<A>> fields = {
      {{.key = "name",
        .title = "Accelerator",
        .range = {0, 200},
        .fallback = "custom accelerator",
        .help = "What to call it in answers."},
       at<&A::name>},
      {{.key = "memory_bytes",
        .title = "Memory",
        .unit = "bytes",
        .range = {1e6, 1e15},
        .presence = Presence::kRequired,
        .help = "Memory of one device as the driver reports it, which is less than the label."},
       at<&A::memory>},
      {{.key = "memory_bandwidth_bytes_per_s",
        .title = "Memory bandwidth",
        .unit = "bytes/s",
        .range = {1e6, 1e15},
        .presence = Presence::kRequired,
        .help = "Nominal rate at which a device reads its own memory."},
       at<&A::memory_bandwidth>},
      {{.key = "memory_efficiency",
        .title = "Memory efficiency",
        .range = {0.01, 1},
        .fallback = 0.8,
        .help = "Share of the nominal memory bandwidth that large streaming operations reach.",
        .source = kFit},
       at<&A::memory_efficiency>},
      {{.key = "compute_flop_per_s",
        .title = "Peak compute",
        .unit = "FLOP/s",
        .range = {1e6, 1e20},
        .presence = Presence::kRequired,
        .help = "Dense bf16 peak of one device, without sparsity."},
       at<&A::compute>},
      {{.key = "matmul_efficiency",
        .title = "Matmul efficiency",
        .range = {0.01, 1},
        .fallback = 0.7,
        .help = "Share of peak that a large matrix product reaches.",
        .source = "Between A100 (0.82) and H100 (0.675), both fitted to published training runs."},
       at<&A::matmul_efficiency>},
      {{.key = "attention_efficiency",
        .title = "Attention efficiency",
        .range = {0.01, 1},
        .fallback = 0.5,
        .help = "Share of peak that the attention kernel reaches with heads of 128.",
        .source = "FlashAttention 2 on A100, arXiv 2307.08691."},
       at<&A::attention_efficiency>},
      {{.key = "cores",
        .title = "Cores",
        .range = {0, 1e6},
        .help = "Streaming multiprocessors: small matrices leave some idle. 0 leaves this out.",
        .source = "0: not counted."},
       at<&A::cores>},
      {{.key = "power_w",
        .title = "Power",
        .unit = "W",
        .range = {0, 1e6},
        .help = "Thermal design power of one device; 0 if unknown."},
       at<&A::power_w>},
      {{.key = "price_per_hour_usd",
        .title = "Price",
        .unit = "US$/hour",
        .range = {0, 1e6},
        .help = "Price of one device for an hour; 0 if unknown, then no cost is shown."},
       at<&A::price_per_hour>},
  };
  return fields;
}

template <>
const std::vector<Field<Level>>& fields_of() {
  using L = Level;
  static const std::vector<Field<L>> fields = {
      {{.key = "name",
        .title = "Level",
        .range = {1, 200},
        .presence = Presence::kRequired,
        .help = "What to call this level of the network: NVLink, rack, spine."},
       at<&L::name>},
      {{.key = "arity",
        .title = "Groups joined",
        .range = {0, 1e6},
        .presence = Presence::kRequired,
        .help =
            "How many groups of the level below (or devices, on the innermost level) this level "
            "joins. 0 on the outermost level: as many as it takes."},
       at<&L::arity>},
      {{.key = "bandwidth_bytes_per_s",
        .title = "Bandwidth",
        .unit = "bytes/s",
        .range = {1e3, 1e15},
        .presence = Presence::kRequired,
        .help = "Nominal rate per device and direction when all devices talk across this level at "
                "once, so after oversubscription."},
       at<&L::bandwidth>},
      {{.key = "efficiency",
        .title = "Efficiency",
        .range = {0.001, 1},
        .help = "Share of the nominal bandwidth that collectives reach.",
        .source = "1: the bandwidth is taken as achieved."},
       at<&L::efficiency>},
      {{.key = "latency_s",
        .title = "Latency",
        .unit = "s",
        .range = {0, 1},
        .fallback = 1.5e-5,
        .help = "Time before the first byte arrives, for each doubling of the group.",
        .source = kFit},
       at<&L::latency>},
      {{.key = "kind",
        .title = "Kind",
        .choices = {"switch", "ring", "torus"},
        .help = "A switch joins everything to everything; a ring or torus only neighbours."},
       at<&L::kind>},
      {{.key = "dims",
        .title = "Torus sizes",
        .range = {1, 1048576},
        .entries = {0, 8},
        .help = "Torus only: its size in every dimension; their product is the number of groups "
                "joined."},
       at<&L::dims>},
  };
  return fields;
}

template <>
const std::vector<Field<Cluster>>& fields_of() {
  using C = Cluster;
  static const std::vector<Field<C>> fields = {
      {{.key = "name",
        .title = "Cluster",
        .range = {0, 200},
        .fallback = "custom cluster",
        .help = "What to call it in answers."},
       at<&C::name>},
      {{.key = "accelerator",
        .title = "Accelerator",
        .presence = Presence::kRequired,
        .preset_kind = "accelerators",
        .help = "The device that the cluster is made of."},
       at<&C::accelerator>},
      {{.key = "devices",
        .title = "Devices",
        .range = {1, 1048576},
        .presence = Presence::kRequired,
        .help = "Accelerators in all. A plan may leave some of them idle and says so."},
       at<&C::devices>},
      {{.key = "levels",
        .title = "Network levels",
        .entries = {1, 8},
        .presence = Presence::kRequired,
        .help = "The network from the inside out: first what joins devices, last what joins "
                "everything. A list given here replaces that of a preset."},
       at<&C::levels>},
  };
  return fields;
}

}  // namespace nestplan
