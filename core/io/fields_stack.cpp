// The training software: what it can run, and the constants that were fitted for it.
#include "io/fields.h"

namespace nestplan {
namespace {

using S = Stack;
using Fields = std::vector<Field<S>>;

Fields capability_fields() {
  return {
      {{.key = "name",
        .title = "Software",
        .range = {0, 200},
        .fallback = "custom stack",
        .help = "What to call it in answers."},
       at<&S::name>},
      {{.key = "release",
        .title = "Release",
        .range = {0, 200},
        .help = "The release that the constants describe."},
       at<&S::release>},
      {{.key = "per_stage_options",
        .title = "Options per stage",
        .help = "ZeRO and recompute may differ from stage to stage. No public software does this."},
       at<&S::per_stage_options>},
      {{.key = "zero",
        .title = "ZeRO stages",
        .range = {0, 3},
        .entries = {1, 4},
        .presence = Presence::kRequired,
        .help = "The ZeRO stages it offers."},
       at<&S::zero>},
      {{.key = "zero_with_pipeline",
        .title = "ZeRO with a pipeline",
        .help = "ZeRO 2 and 3 may be combined with pipeline stages."},
       at<&S::zero_with_pipeline>},
      {{.key = "selective_recompute",
        .title = "Selective recompute",
        .help = "It can recompute the norms alone and keep the rest."},
       at<&S::selective_recompute>},
      {{.key = "uneven_stages",
        .title = "Uneven stages",
        .help = "Pipeline stages may have different numbers of blocks."},
       at<&S::uneven_stages>},
      {{.key = "sequence_parallel",
        .title = "Sequence parallel",
        .help = "Tensor parallelism can split the tokens between the matrices too."},
       at<&S::sequence_parallel>},
      {{.key = "kv_replication",
        .title = "Replicated key heads",
        .help =
            "Tensor parallelism may be wider than the key and value heads, which are then copied."},
       at<&S::kv_replication>},
      {{.key = "pipeline",
        .title = "Pipeline",
        .help = "Whether it can cut the model into pipeline stages."},
       at<&S::pipeline>},
      {{.key = "expert_parallel",
        .title = "Expert parallel",
        .help = "Whether it can split the experts of a block among devices."},
       at<&S::expert_parallel>},
      {{.key = "max_vpp",
        .title = "Most virtual stages",
        .range = {1, 1000},
        .help = "Most pieces per pipeline stage that it can interleave."},
       at<&S::max_vpp>},
      {{.key = "gpipe",
        .title = "GPipe schedule",
        .help = "Every micro-batch goes forward before any goes backward, which keeps the "
                "activations of all of them in memory."},
       at<&S::gpipe>},
      {{.key = "orders",
        .title = "Rank orders",
        .range = {14, 14},
        .entries = {1, 120},
        .presence = Presence::kRequired,
        .is_order = true,
        .help = "The rank orders it can use, nearest devices first."},
       at<&S::orders>},
  };
}

Fields overlap_fields() {
  return {
      {{.key = "elementwise_factor",
        .title = "Elementwise traffic",
        .range = {0, 100},
        .help = "Memory traffic of normalisations, activations and kin against the ideal of fused "
                "kernels."},
       at<&S::elementwise_factor>},
      {{.key = "moe_factor",
        .title = "Expert overhead",
        .range = {0, 100},
        .help = "Cost of sorting tokens to experts against a reference release."},
       at<&S::moe_factor>},
      {{.key = "matmul_traffic_exposed",
        .title = "Matmul traffic exposed",
        .range = {0, 1},
        .help =
            "Share of the memory traffic of matrix products that the arithmetic does not hide."},
       at<&S::matmul_traffic_exposed>},
      {{.key = "tp_exposed",
        .title = "Tensor parallel exposed",
        .range = {0, 1},
        .help = "Share of tensor-parallel communication that computation does not hide."},
       at<&S::tp_exposed>},
      {{.key = "dp_exposed",
        .title = "Data parallel exposed",
        .range = {0, 1},
        .help = "Share of data-parallel communication that stays visible even when overlapped."},
       at<&S::dp_exposed>},
      {{.key = "dp_overlap",
        .title = "Data parallel overlap",
        .help = "Gradients are exchanged while the backward pass still runs."},
       at<&S::dp_overlap>},
      {{.key = "pp_exposed",
        .title = "Pipeline exposed",
        .range = {0, 1},
        .help = "Share of the messages between stages that computation does not hide."},
       at<&S::pp_exposed>},
      {{.key = "ep_exposed_intra",
        .title = "Expert exchange exposed, near",
        .range = {0, 1},
        .help = "Share of the expert exchange that stays visible inside the innermost level."},
       at<&S::ep_exposed_intra>},
      {{.key = "ep_exposed_inter",
        .title = "Expert exchange exposed, far",
        .range = {0, 1},
        .help = "Share of the expert exchange that stays visible across levels."},
       at<&S::ep_exposed_inter>},
      {{.key = "cp_exposed",
        .title = "Context parallel exposed",
        .range = {0, 1},
        .help = "Share of the context-parallel ring that stays visible even behind attention."},
       at<&S::cp_exposed>},
      {{.key = "all_to_all_efficiency",
        .title = "Expert exchange efficiency",
        .range = {0.01, 1},
        .help = "Rate of the expert exchange across nodes against that of other collectives."},
       at<&S::all_to_all_efficiency>},
  };
}

Fields host_fields() {
  return {
      {{.key = "all_to_all_launch_s",
        .title = "Expert exchange launch",
        .unit = "s",
        .range = {0, 1},
        .help = "Time to start the expert exchange, for every expert block and direction."},
       at<&S::all_to_all_launch>},
      {{.key = "kernel_launch_s",
        .title = "Kernel launch",
        .unit = "s",
        .range = {0, 1},
        .help = "Time that every matrix product takes beside its work."},
       at<&S::kernel_launch>},
      {{.key = "host_per_layer_s",
        .title = "Host time per block",
        .unit = "s",
        .range = {0, 1},
        .help = "Time the host needs to launch one block, forward and backward; a faster device "
                "waits for it."},
       at<&S::host_per_layer>},
      {{.key = "host_per_expert_s",
        .title = "Host time per expert",
        .unit = "s",
        .range = {0, 1},
        .help = "More of it for every expert that a device holds."},
       at<&S::host_per_expert>},
      {{.key = "host_moe_factor",
        .title = "Host time of expert blocks",
        .range = {0, 100},
        .help = "Host time of a block with experts against one without."},
       at<&S::host_moe_factor>},
      {{.key = "collective_launch_across_s",
        .title = "Collective launch across nodes",
        .unit = "s",
        .range = {0, 1},
        .help =
            "Time to start an unfused collective across nodes, for each doubling of the nodes."},
       at<&S::collective_launch_across>},
      {{.key = "fixed_per_step_s",
        .title = "Fixed time per step",
        .unit = "s",
        .range = {0, 1000},
        .help =
            "Time of every step that does not depend on the work: logging, data, synchronisation."},
       at<&S::fixed_per_step>},
      {{.key = "growth_per_doubling",
        .title = "Slowdown per doubling",
        .range = {0, 1},
        .help = "Slowdown for each doubling of the devices beyond eight: stragglers and jitter."},
       at<&S::growth_per_doubling>},
  };
}

Fields memory_fields() {
  return {
      {{.key = "activation_factor",
        .title = "Activation factor",
        .range = {0, 100},
        .help = "Memory kept by normalisations, activations and kin against the ideal."},
       at<&S::activation_factor>},
      {{.key = "logits_bytes",
        .title = "Logits",
        .unit = "bytes",
        .range = {0, 100},
        .help = "Bytes of the last stage for every token and vocabulary entry."},
       at<&S::logits_bytes>},
      {{.key = "recompute_stops_early",
        .title = "Recompute stops early",
        .help = "Full recompute leaves out the last matrix product of a block."},
       at<&S::recompute_stops_early>},
      {{.key = "fragmentation",
        .title = "Fragmentation",
        .range = {1, 10},
        .help = "Memory that the allocator takes for each byte in use."},
       at<&S::fragmentation>},
      {{.key = "reserve_bytes",
        .title = "Reserve",
        .unit = "bytes",
        .range = {0, 1e15},
        .help = "Memory taken before training starts: driver context, communication buffers."},
       at<&S::reserve>},
  };
}

}  // namespace

template <>
const std::vector<Field<Stack>>& fields_of() {
  static const Fields fields = [] {
    Fields all = capability_fields();
    for (const Fields& more : {overlap_fields(), host_fields(), memory_fields()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return fields;
}

}  // namespace nestplan
