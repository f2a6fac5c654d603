#include "plan/communication.h"

#include <algorithm>
#include <string>

namespace nestplan {
namespace {

double as_double(std::int64_t count) { return static_cast<double>(count); }

class Table {
 public:
  Table(const StageContext& context, const ChainCounts& chain, const std::vector<StageCut>& stages)
      : context_(context), chain_(chain), stages_(stages), job_(*context.job) {}

  std::vector<Communication> rows() {
    if (context_.config.tp > 1) tensor();
    if (context_.config.cp > 1) context();
    if (context_.config.ep > 1) expert();
    if (context_.config.pp > 1) pipeline();
    if (context_.config.dp * context_.config.cp > 1) data();
    return rows_;
  }

 private:
  // Sum of one exposed part over the layers of the stage where it is largest, and its block count.
  struct Largest {
    Seconds exposed;
    double passes = 0;  // blocks, a fully recomputed one counted 1.5 times
  };
  Largest largest(Seconds LoadParts::*part) const {
    Largest most;
    for (const StageCut& cut : stages_) {
      Seconds sum(0);
      double passes = 0;
      for (std::size_t t = 0; t < context_.layers.size(); ++t) {
        const LayerCost& layer = context_.layers[t];
        const double count = as_double(chain_.count(t, cut.begin, cut.end));
        const Seconds time = layer.under(cut.option.recompute).parts.*part;
        sum += time * count;
        if (time > Seconds(0)) {
          passes += count * (cut.option.recompute == Recompute::kFull ? 1.5 : 1);
        }
      }
      if (sum > most.exposed) most = {sum, passes};
    }
    return most;
  }
  [[nodiscard]] std::string level(const Members& members) const {
    return job_.network.levels[static_cast<std::size_t>(span_of(members))].name;
  }
  [[nodiscard]] double steps() const { return as_double(context_.micro_batches); }
  void add(std::string what, std::string at, Form form, Bytes bytes, Seconds exposed,
           Seconds whole) {
    rows_.push_back({std::move(what), std::move(at), form_name(form), bytes, exposed,
                     max(Seconds(0), whole - exposed)});
  }

  void tensor() {
    const Members members = layer_links(context_.config, job_.network).tensor;
    const CollectiveTable gather(Collective::kAllGather, job_.network, members);
    const Bytes whole(2 * local_tokens(job_, context_.config) * as_double(job_.model.hidden_size));
    const CollectiveTime one = gather.at(whole);
    const Largest most = largest(&LoadParts::tensor_parallel);
    const double calls = 8 * most.passes * steps();
    const double moved = as_double(members.size - 1) / as_double(members.size);
    add("tensor parallel all-gather and reduce-scatter", level(members), one.form,
        whole * (moved * calls), most.exposed * steps(), one.time * calls);
  }
  void context() {
    const Config& c = context_.config;
    const Members members = layer_links(c, job_.network).context;
    const double kv = std::max(1.0, as_double(job_.model.kv_heads) / as_double(c.tp));
    const Bytes part(4 * local_tokens(job_, c) * kv * as_double(job_.model.head_dim));
    const Affine hop = point_to_point(job_.network, span_of(members));
    const Largest most = largest(&LoadParts::context_parallel);
    // One pass of the ring forward, two backward.
    const double calls = 3 * as_double(c.cp - 1) * most.passes * steps();
    add("context parallel ring of keys and values", level(members), Form::kRing, part * calls,
        most.exposed * steps(), hop.at(part) * calls);
  }
  void expert() {
    const Config& c = context_.config;
    const LayerLinks links = layer_links(c, job_.network);
    const Largest most = largest(&LoadParts::expert_parallel);
    const Bytes one(2 * local_tokens(job_, c) * sequence_share(c) *
                    as_double(job_.model.hidden_size * job_.model.moe.top_k) * as_double(c.ep - 1) /
                    as_double(c.ep));
    const double calls = 4 * most.passes * steps();
    add("expert parallel all-to-all", level(links.expert), Form::kPointToPoint, one * calls,
        most.exposed * steps(), all_to_all_time(job_, c, links) * calls);
  }
  void pipeline() {
    const Config& c = context_.config;
    const std::int64_t stride = layout_groups(c).pipeline_stride;
    std::int64_t worst = 0;
    for (std::int64_t k = 0; k + 1 < c.pp; ++k) {
      worst =
          std::max(worst, stage_boundary_level(job_.network, stride, c.pp, k, k + 1, c.devices()));
    }
    const Seconds exposed =
        *std::max_element(context_.boundary.begin(), context_.boundary.end()) * steps();
    const Bytes message(2 * local_tokens(job_, c) * as_double(job_.model.hidden_size) *
                        sequence_share(c));
    const double calls = 2 * as_double(c.vpp) * steps();
    add("pipeline send and receive", job_.network.levels[static_cast<std::size_t>(worst)].name,
        Form::kPointToPoint, message * calls, exposed,
        point_to_point(job_.network, worst).at(message) * calls);
  }
  void data() {
    DataTraffic most;
    StageOption option;
    StageContent held;
    for (const StageCut& cut : stages_) {
      const StageContent content =
          chain_.content(context_.layers, cut.option.recompute, cut.begin, cut.end);
      const DataTraffic traffic = data_traffic(context_, content, cut.option);
      if (traffic.total > most.total) {
        most = traffic;
        option = cut.option;
        held = content;
      }
    }
    const DataCollectives& d = context_.shards_of(option.shard_group);
    const Members members =
        members_of(layout_groups(context_.config).data, job_.network, context_.config.devices());
    const Form form =
        d.shard_reduce.at(Bytes(context_.state.gradients * held.dense_parameters)).form;
    const char* what = option.zero == 0   ? "data parallel all-reduce of gradients"
                       : option.zero == 3 ? "parameter all-gather, gradient reduce-scatter"
                                          : "gradient reduce-scatter, parameter all-gather";
    add(what, level(members), form, most.bytes, most.per_micro_batch * steps() + most.per_step,
        most.total);
  }

  const StageContext& context_;
  const ChainCounts& chain_;
  const std::vector<StageCut>& stages_;
  const Job& job_;
  std::vector<Communication> rows_;
};

}  // namespace

std::vector<Communication> communication_table(const StageContext& context,
                                               const ChainCounts& chain,
                                               const std::vector<StageCut>& stages) {
  return Table(context, chain, stages).rows();
}

}  // namespace nestplan
