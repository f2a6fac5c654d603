#include "oracle.h"

#include <algorithm>
#include <numeric>

#include "base/math.h"
#include "cost/placement.h"

namespace nestplan::oracle {
namespace {

std::int64_t pick(std::mt19937& random, std::vector<std::int64_t> values) {
  return values[random() % values.size()];
}
double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() % 100000) / 100000;
}

ModelSpec random_model(std::mt19937& random) {
  ModelSpec m;
  m.layers = 1 + static_cast<std::int64_t>(random() % 4);
  m.heads = pick(random, {2, 4, 6, 8});
  m.kv_heads = pick(random, divisors(m.heads));
  m.head_dim = 64;
  m.hidden_size = m.heads * 64;
  m.ffn_size = m.hidden_size * 3;
  m.vocab_size = pick(random, {1000, 32000, 100000});
  m.max_sequence_length = 4096;
  m.gated_mlp = random() % 2 == 0;
  m.tied_embeddings = random() % 2 == 0;
  if (random() % 3 == 0) {
    m.sliding_window = 256;
    m.full_attention_interval = 2;
  }
  if (random() % 2 == 0) {
    m.moe.experts = pick(random, {2, 4});
    m.moe.top_k = 1 + static_cast<std::int64_t>(random() % 2);
    m.moe.expert_ffn_size = m.hidden_size * 2;
    m.moe.shared_ffn_size = random() % 2 == 0 ? 0 : m.hidden_size * 3;
    m.moe.first_dense_layers = static_cast<std::int64_t>(random() % 2);
    m.moe.every_n_layers = 1 + static_cast<std::int64_t>(random() % 2);
  }
  return m;
}

Cluster random_cluster(std::mt19937& random) {
  Cluster c;
  c.devices = 1 + static_cast<std::int64_t>(random() % 8);
  c.accelerator.memory_bandwidth = BytesPerSecond(uniform(random, 1e12, 4e12));
  c.accelerator.memory_efficiency = 0.8;
  c.accelerator.compute = FlopsPerSecond(uniform(random, 1e14, 1e15));
  c.accelerator.matmul_efficiency = 0.7;
  c.accelerator.attention_efficiency = 0.5;
  c.accelerator.cores = pick(random, {0, 108, 132});
  for (const std::int64_t arity : {std::int64_t{2}, std::int64_t{2}, std::int64_t{0}}) {
    Level level;
    level.name = "level " + std::to_string(c.levels.size());
    level.arity = arity;
    level.bandwidth = BytesPerSecond(uniform(random, 1e9, 4e11));
    level.efficiency = 0.9;
    level.latency = Seconds(uniform(random, 0, 3e-5));
    if (random() % 5 == 0 && arity > 0) level.kind = LevelKind::kRing;
    c.levels.push_back(level);
  }
  return c;
}

Stack random_stack(std::mt19937& random) {
  Stack s;
  s.name = "random";
  s.per_stage_options = random() % 2 == 0;
  s.zero =
      random() % 2 == 0 ? std::vector<std::int64_t>{0, 1, 2, 3} : std::vector<std::int64_t>{0, 1};
  s.uneven_stages = random() % 4 != 0;
  s.kv_replication = random() % 2 == 0;
  s.sequence_parallel = random() % 4 != 0;
  s.max_vpp = 1 + static_cast<std::int64_t>(random() % 3);
  s.gpipe = s.max_vpp == 1 && random() % 3 == 0;
  s.orders = {"tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "pp-tp-cp-ep-dp"};
  s.tp_exposed = uniform(random, 0.2, 1);
  s.dp_overlap = random() % 3 != 0;
  s.recompute_stops_early = random() % 2 == 0;
  s.all_to_all_launch = Seconds(6e-5);
  s.kernel_launch = Seconds(3e-6);
  s.host_per_layer = Seconds(uniform(random, 0, 1e-3));
  s.host_per_expert = Seconds(1e-5);
  s.collective_launch_across = Seconds(uniform(random, 0, 1e-3));
  s.fixed_per_step = Seconds(0.01);
  s.fragmentation = 1.1;
  s.reserve = Bytes(1e6);
  return s;
}

// The interleaved schedule's rule, literally: all chunks but the ends are q or q + 1 blocks for one
// q >= 1, the ends at most q + 1 and at least q - 2.
bool legal_chunks(const std::vector<std::int64_t>& chunks) {
  for (std::int64_t q = 1; q <= 6; ++q) {
    bool legal = true;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const bool end = i == 0 || i + 1 == chunks.size();
      legal =
          legal && chunks[i] <= q + 1 && chunks[i] >= (end ? std::max<std::int64_t>(0, q - 2) : q);
    }
    if (legal) return true;
  }
  return false;
}

// Every way to write `total` as `parts` counts of at least `least`.
void compositions(std::int64_t total, std::size_t parts, std::int64_t least,
                  std::vector<std::int64_t>& so_far,
                  const std::function<void(const std::vector<std::int64_t>&)>& visit) {
  if (parts == 0) {
    if (total == 0) visit(so_far);
    return;
  }
  for (std::int64_t n = least; n <= total; ++n) {
    so_far.push_back(n);
    compositions(total - n, parts - 1, least, so_far, visit);
    so_far.pop_back();
  }
}

using TypeCounts = std::vector<std::int64_t>;  // layers of each type on one stage

class ConfigPricer {
 public:
  ConfigPricer(const Job& job, const Config& config, Best& best)
      : job_(job),
        best_(best),
        context_(make_stage_context(job, config,
                                    layer_costs(job, config, layer_links(config, job.network)))),
        options_(stage_options(job, config, {})),
        types_(job.chain.expanded()) {}

  void all() {
    const auto pp = static_cast<std::size_t>(context_.config.pp);
    std::vector<std::int64_t> cut;
    if (context_.config.vpp == 1) {
      compositions(std::ssize(types_), pp, 1, cut, [this](const auto& c) { contiguous(c); });
    } else {
      const auto chunks = pp * static_cast<std::size_t>(context_.config.vpp);
      compositions(job_.model.layers, chunks, 0, cut, [this](const auto& c) { chunked(c); });
    }
  }

 private:
  void contiguous(const std::vector<std::int64_t>& cut) {
    std::vector<TypeCounts> stages;
    std::int64_t at = 0;
    for (const std::int64_t n : cut) {
      TypeCounts counts(job_.chain.types.size(), 0);
      std::int64_t blocks = 0;
      for (std::int64_t i = at; i < at + n; ++i) {
        const std::int64_t type = types_[static_cast<std::size_t>(i)];
        ++counts[static_cast<std::size_t>(type)];
        if (i > 0 && i + 1 < std::ssize(types_)) ++blocks;
      }
      at += n;
      if (!job_.stack.uneven_stages && blocks * context_.config.pp != job_.model.layers) return;
      stages.push_back(counts);
    }
    assign(stages);
  }
  void chunked(const std::vector<std::int64_t>& chunks) {
    if (!legal_chunks(chunks)) return;
    const auto pp = static_cast<std::size_t>(context_.config.pp);
    if (!job_.stack.uneven_stages && *std::min_element(chunks.begin(), chunks.end()) !=
                                         *std::max_element(chunks.begin(), chunks.end())) {
      return;
    }
    std::vector<TypeCounts> stages(pp, TypeCounts(job_.chain.types.size(), 0));
    const auto block = static_cast<std::size_t>(types_[1]);
    for (std::size_t i = 0; i < chunks.size(); ++i) stages[i % pp][block] += chunks[i];
    ++stages.front()[static_cast<std::size_t>(types_.front())];
    ++stages.back()[static_cast<std::size_t>(types_.back())];
    assign(stages);
  }

  // Every assignment of options to stages (or one option for all).
  void assign(const std::vector<TypeCounts>& stages) {
    std::vector<std::vector<StagePrice>> prices;
    for (std::size_t k = 0; k < stages.size(); ++k) {
      std::vector<StagePrice> row;
      for (const StageOption& option : options_) {
        StageContent content;
        for (std::size_t t = 0; t < stages[k].size(); ++t) {
          content.add(context_.layers[t], option.recompute, stages[k][t]);
        }
        content.head = k + 1 == stages.size();
        row.push_back(
            price_stage(context_, content, option, static_cast<std::int64_t>(stages.size() - k)));
      }
      prices.push_back(row);
    }
    if (job_.stack.per_stage_options) {
      descend(prices, 0, 0, 0, 0);
      return;
    }
    for (std::size_t o = 0; o < options_.size(); ++o) {
      std::vector<std::vector<StagePrice>> same;
      for (const auto& row : prices) same.push_back({row[o]});
      descend(same, 0, 0, 0, 0);
    }
  }
  void descend(const std::vector<std::vector<StagePrice>>& prices, std::size_t k, double longest,
               double sum, double tail) {
    if (k == prices.size()) {
      ++best_.plans;
      const Config& c = context_.config;
      const auto m = static_cast<double>(context_.micro_batches);
      const double growth = 1 + job_.stack.growth_per_doubling *
                                    log2_of(std::max(1.0, static_cast<double>(c.devices()) / 8));
      const double step = (m * longest + (sum - longest) / static_cast<double>(c.vpp)) * growth +
                          tail + tied_embedding_time(job_, c).value() +
                          job_.stack.fixed_per_step.value();
      if (best_.step == 0 || step < best_.step) best_.step = step;
      return;
    }
    for (const StagePrice& price : prices[k]) {
      if (price.memory > job_.accelerator.memory) continue;
      descend(prices, k + 1, std::max(longest, price.load.value()), sum + price.load.value(),
              std::max(tail, price.tail.value()));
    }
  }

  const Job& job_;
  Best& best_;
  StageContext context_;
  std::vector<StageOption> options_;
  std::vector<std::int64_t> types_;
};

}  // namespace

Job random_job(std::mt19937& random) {
  const ModelSpec model = random_model(random);
  Cluster cluster = random_cluster(random);
  Training training;
  training.global_batch_sequences = pick(random, {1, 2, 4, 6, 8, 12});
  training.sequence_length = pick(random, {512, 1024});
  const auto parameters = static_cast<double>(count_parameters(model).total);
  // From far too little to plenty: the tight cases are where searches go wrong.
  cluster.accelerator.memory = Bytes(parameters * uniform(random, 2, 24) + uniform(random, 0, 1e9));
  return {model,    build_chain(model),  cluster.accelerator, build_network(cluster),
          training, random_stack(random)};
}

void for_each_config(const Job& job, const std::function<void(const Config&)>& visit) {
  const std::int64_t n = job.network.devices;
  const std::int64_t batch = job.training.global_batch_sequences;
  const std::int64_t experts = std::max<std::int64_t>(1, job.model.moe.experts);
  std::vector<Config> found;
  Config c;
  for (c.mbs = 1; c.mbs <= batch; ++c.mbs)
    for (c.tp = 1; c.tp <= n; ++c.tp)
      for (c.cp = 1; c.cp * c.tp <= n; ++c.cp)
        for (c.ep = 1; c.ep <= experts; ++c.ep)
          for (c.etp = 1; c.etp <= c.tp; ++c.etp)
            for (c.dp = 1; c.dp * c.cp * c.tp <= n; ++c.dp)
              for (c.pp = 1; c.pp * c.dp * c.cp * c.tp <= n; ++c.pp)
                for (c.vpp = 1; c.vpp <= job.stack.max_vpp; ++c.vpp) found.push_back(c);
  for (Config& config : found) {
    const bool power = (config.cp & (config.cp - 1)) == 0;
    const bool whole_etp = config.etp == 1 || config.etp == config.tp;
    if (!power || !whole_etp) continue;
    if (!tp_fault(job, config.tp).empty() || !cp_fault(job, config.cp).empty() ||
        !ep_fault(job, config.ep).empty() || !etp_fault(job, config.etp).empty() ||
        !dp_fault(job, config.dp).empty() || !pp_fault(job, config.pp).empty() ||
        !mbs_fault(job, config.mbs).empty() || !vpp_fault(job, config.vpp).empty()) {
      continue;
    }
    config.schedule = job.stack.gpipe  ? Schedule::kGpipe
                      : config.vpp > 1 ? Schedule::kInterleaved
                                       : Schedule::k1F1B;
    for (const std::string& name : job.stack.orders) {
      if (!parse_order(name, config.order)) continue;
      if (!config_fault(job, config).empty()) continue;
      config.sp = config.tp > 1 && job.stack.sequence_parallel;
      visit(config);
    }
  }
}

void price_config(const Job& job, const Config& config, Best& best) {
  ConfigPricer(job, config, best).all();
}

Best exhaustive(const Job& job) {
  Best best;
  for_each_config(job, [&](const Config& config) { price_config(job, config, best); });
  return best;
}

}  // namespace nestplan::oracle
