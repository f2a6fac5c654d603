// What is trained, what is fixed beforehand, and the request as a whole.
#include "io/fields.h"

namespace nestplan {
namespace {

constexpr double kMostDevices = 1048576;

}  // namespace

template <>
const std::vector<Field<Training>>& fields_of() {
  using T = Training;
  static const std::vector<Field<T>> fields = {
      {{.key = "global_batch_sequences",
        .title = "Global batch",
        .unit = "sequences",
        .range = {1, 1e7},
        .fallback = 1024.0,
        .help = "Sequences that all devices together see in one optimizer step.",
        .source = "A common size for large models."},
       at<&T::global_batch_sequences>},
      {{.key = "sequence_length",
        .title = "Sequence length",
        .unit = "tokens",
        .range = {1, 16777216},
        .fallback = 8192.0,
        .help = "Tokens of one training sequence. Without it the model's longest sequence, at most "
                "8,192.",
        .source = "Llama 3, arXiv 2407.21783: 8,192 tokens for most of pre-training."},
       at<&T::sequence_length>},
      {{.key = "gradients",
        .title = "Gradients",
        .choices = {"fp32", "bf16"},
        .help = "Type in which gradients are added up: fp32 is safer, bf16 half the size.",
        .source = "What training frameworks do by default."},
       at<&T::gradients>},
      {{.key = "optimizer",
        .title = "Optimizer",
        .choices = {"adamw", "adamw-8bit", "lion", "sgd"},
        .help =
            "It decides how much state each parameter carries: with the fp32 copy of the weight "
            "12 bytes for adamw, 6 for adamw-8bit, 8 for lion and for sgd with momentum.",
        .source = "What training frameworks do by default."},
       at<&T::optimizer>},
      {{.key = "tokens",
        .title = "Train for",
        .unit = "tokens",
        .range = {0, 1e18},
        .help = "Tokens to train for in all, to learn days and cost; 0 for no target."},
       at<&T::tokens>},
  };
  return fields;
}

namespace {

using P = Pins;

std::vector<Field<P>> degree_pins() {
  constexpr Presence kFree = Presence::kFree;
  return {
      {{.key = "tp",
        .title = "Tensor parallel",
        .range = {1, kMostDevices},
        .presence = kFree,
        .help = "Devices that split every matrix of a block among them."},
       at<&P::tp>},
      {{.key = "sp",
        .title = "Sequence parallel",
        .presence = kFree,
        .help = "Tensor-parallel devices also split the tokens between the matrices."},
       at<&P::sp>},
      {{.key = "cp",
        .title = "Context parallel",
        .range = {1, kMostDevices},
        .presence = kFree,
        .help = "Devices that split every sequence among them."},
       at<&P::cp>},
      {{.key = "ep",
        .title = "Expert parallel",
        .range = {1, kMostDevices},
        .presence = kFree,
        .help = "Devices that split the experts of a block among them."},
       at<&P::ep>},
      {{.key = "etp",
        .title = "Expert tensor parallel",
        .range = {1, kMostDevices},
        .presence = kFree,
        .help = "Devices that split every expert's matrices among them."},
       at<&P::etp>},
      {{.key = "dp",
        .title = "Data parallel",
        .range = {1, kMostDevices},
        .presence = kFree,
        .help = "Copies of the model, each with its own share of the batch."},
       at<&P::dp>},
      {{.key = "pp",
        .title = "Pipeline stages",
        .range = {1, kMostDevices},
        .presence = kFree,
        .help = "Groups of devices that each hold some consecutive blocks."},
       at<&P::pp>},
      {{.key = "vpp",
        .title = "Virtual stages",
        .range = {1, 1000},
        .presence = kFree,
        .help = "Pieces that each pipeline stage holds, interleaved; more of them shrink the "
                "pipeline's idle time and send more."},
       at<&P::vpp>},
  };
}

std::vector<Field<P>> other_pins() {
  constexpr Presence kFree = Presence::kFree;
  return {
      {{.key = "mbs",
        .title = "Micro-batch",
        .unit = "sequences",
        .range = {1, 65536},
        .presence = kFree,
        .help = "Sequences that one copy of the model works on at a time."},
       at<&P::mbs>},
      {{.key = "zero",
        .title = "ZeRO stage",
        .range = {0, 3},
        .presence = kFree,
        .help = "What the copies share instead of repeating: 1 optimizer state, 2 gradients too, 3 "
                "weights too."},
       at<&P::zero>},
      {{.key = "recompute",
        .title = "Recompute",
        .presence = kFree,
        .choices = {"none", "selective", "full"},
        .help = "What is computed again in the backward pass instead of kept in memory: nothing, "
                "the norms (selective; flash attention never keeps its scores), or whole blocks."},
       at<&P::recompute>},
      {{.key = "order",
        .title = "Rank order",
        .range = {14, 14},
        .presence = kFree,
        .is_order = true,
        .help = "Which kind of parallelism gets the nearest devices, nearest first."},
       at<&P::order>},
      {{.key = "stage_layers",
        .title = "Blocks per stage",
        .range = {0, 1e4},
        .entries = {1, 1e4},
        .presence = kFree,
        .help = "Blocks of every pipeline stage, first stage first."},
       at<&P::stage_layers>},
  };
}

}  // namespace

template <>
const std::vector<Field<Pins>>& fields_of() {
  static const std::vector<Field<Pins>> fields = [] {
    std::vector<Field<Pins>> all = degree_pins();
    const std::vector<Field<Pins>> more = other_pins();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return fields;
}

template <>
const std::vector<Field<SearchSettings>>& fields_of() {
  using S = SearchSettings;
  static const std::vector<Field<S>> fields = {
      {{.key = "pins",
        .title = "Pinned",
        .help = "What the plan must have. Everything left out is for the planner to choose."},
       at<&S::pins>},
      {{.key = "max_micro_batch",
        .title = "Largest micro-batch",
        .unit = "sequences",
        .range = {1, 65536},
        .help = "Micro-batches above this are not tried.",
        .source = "Larger ones rarely help: matrices are large enough by then."},
       at<&S::max_micro_batch>},
      {{.key = "alternatives",
        .title = "Alternatives",
        .unit = "plans",
        .range = {0, 50},
        .help = "How many further plans to return beside the best."},
       at<&S::alternatives>},
  };
  return fields;
}

template <>
const std::vector<Field<Request>>& fields_of() {
  using R = Request;
  static const std::vector<Field<R>> fields = {
      {{.key = "model",
        .title = "Model",
        .presence = Presence::kRequired,
        .preset_kind = "models",
        .help = "The model to train: a preset, a preset with changes, or all of its sizes."},
       at<&R::model>},
      {{.key = "cluster",
        .title = "Cluster",
        .presence = Presence::kRequired,
        .preset_kind = "clusters",
        .help = "The machines to train on: a preset, a preset with changes, or a full "
                "description."},
       at<&R::cluster>},
      {{.key = "training",
        .title = "Training",
        .help = "Batch, sequence length, optimizer and target."},
       at<&R::training>},
      {{.key = "stack",
        .title = "Training software",
        .preset_kind = "stacks",
        .preset = "megatron-core",
        .help = "The software that runs the plan: what it can do, and how fast it is at it."},
       at<&R::stack>},
      {{.key = "search",
        .title = "Search",
        .help = "What is fixed beforehand, and how far to look."},
       at<&R::search>},
  };
  return fields;
}

}  // namespace nestplan
