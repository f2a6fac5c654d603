#include "search/space.h"

#include <algorithm>

#include "base/check.h"
#include "cost/placement.h"
#include "cost/stage_cost.h"

namespace nestplan {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

std::int64_t batch_of(const Job& job) { return job.training.global_batch_sequences; }

// Legal values of one degree: the pinned one if it is legal, else every legal candidate.
template <class Fault>
std::vector<std::int64_t> legal(const std::optional<std::int64_t>& pinned,
                                std::vector<std::int64_t> candidates, const Fault& fault) {
  if (pinned) candidates = {*pinned};
  std::erase_if(candidates, [&fault](std::int64_t value) { return !fault(value).empty(); });
  return candidates;
}

std::vector<std::int64_t> powers_of_two(std::int64_t most) {
  std::vector<std::int64_t> powers;
  for (std::int64_t p = 1; p <= most; p *= 2) powers.push_back(p);
  return powers;
}

bool moe(const Job& job) { return job.model.moe.experts > 0; }

std::int64_t block_types(const Job& job) {
  std::int64_t types = 0;
  for (const LayerType& type : job.chain.types) types += type.kind == LayerKind::kBlock ? 1 : 0;
  return types;
}

bool processes_even(const Job& job, std::int64_t used) {
  return used <= job.network.node_size || used % job.network.node_size == 0;
}

}  // namespace

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> low;
  std::vector<std::int64_t> high;
  for (std::int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    low.push_back(d);
    if (d != n / d) high.push_back(n / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

std::string tp_fault(const Job& job, std::int64_t tp) {
  const ModelSpec& m = job.model;
  if (tp < 1 || tp > job.network.devices) return number(job.network.devices) + " devices";
  if (m.heads % tp != 0)
    return number(m.heads) + " attention heads are not divisible by " + number(tp);
  const bool grouped = m.mla.kv_lora_rank == 0;
  if (grouped && m.kv_heads % tp != 0) {
    const bool replicated = job.stack.kv_replication && tp % m.kv_heads == 0;
    if (!replicated) {
      return number(m.kv_heads) + " key-value heads are not divisible by " + number(tp) +
             (job.stack.kv_replication ? " and do not divide it" : "");
    }
  }
  const std::int64_t width =
      m.moe.experts > 0 && m.moe.first_dense_layers == 0 && m.moe.every_n_layers == 1
          ? m.moe.shared_ffn_size
          : m.ffn_size;
  if (width % tp != 0)
    return "the MLP width " + number(width) + " is not divisible by " + number(tp);
  return "";
}

std::string cp_fault(const Job& job, std::int64_t cp) {
  const std::int64_t s = job.training.sequence_length;
  if (cp < 1 || cp > job.network.devices) return number(job.network.devices) + " devices";
  // Causal attention is balanced by giving each rank a chunk from either end of the sequence.
  const std::int64_t chunks = cp == 1 ? 1 : 2 * cp;
  if (s % chunks != 0)
    return "the sequence " + number(s) + " is not divisible by 2 cp = " + number(chunks);
  return "";
}

std::string ep_fault(const Job& job, std::int64_t ep) {
  if (ep == 1) return "";
  if (!moe(job)) return "the model has no experts";
  if (!job.stack.expert_parallel) return job.stack.name + " has no expert parallelism";
  if (ep < 1 || job.model.moe.experts % ep != 0) {
    return number(job.model.moe.experts) + " experts are not divisible by " + number(ep);
  }
  return "";
}

std::string etp_fault(const Job& job, std::int64_t etp) {
  if (etp == 1) return "";
  if (!moe(job)) return "the model has no experts";
  if (etp < 1 || job.model.moe.expert_ffn_size % etp != 0) {
    return "the expert width " + number(job.model.moe.expert_ffn_size) + " is not divisible by " +
           number(etp);
  }
  return "";
}

std::string pp_fault(const Job& job, std::int64_t pp) {
  const std::int64_t layers = job.model.layers + 2;
  if (pp == 1) return "";
  if (!job.stack.pipeline) return job.stack.name + " has no pipeline parallelism";
  if (pp < 1 || pp > job.network.devices) return number(job.network.devices) + " devices";
  if (pp > layers) {
    return number(pp) + " stages for " + number(layers) + " layers (blocks, embedding and head)";
  }
  if (!job.stack.uneven_stages && job.model.layers % pp != 0) {
    return job.stack.name + " needs equal stages: " + number(job.model.layers) +
           " blocks are not divisible by " + number(pp);
  }
  return "";
}

std::string vpp_fault(const Job& job, std::int64_t vpp) {
  if (vpp == 1) return "";
  if (vpp < 1 || vpp > job.stack.max_vpp) {
    return job.stack.name + " allows 1 to " + number(job.stack.max_vpp) + " chunks per stage";
  }
  if (block_types(job) > 1) return "blocks of several kinds are not interleaved yet";
  return "";
}

bool interleaves(const Job& job, const Config& c) {
  if (c.vpp == 1) return true;
  const std::int64_t chunks = c.pp * c.vpp;
  return c.pp > 1 && c.vpp <= job.stack.max_vpp && block_types(job) == 1 &&
         batch_of(job) / (c.mbs * c.dp) % c.pp == 0 && chunks <= job.model.layers + 2 &&
         (job.stack.uneven_stages || job.model.layers % chunks == 0);
}

std::string mbs_fault(const Job& job, std::int64_t mbs) {
  if (mbs < 1 || batch_of(job) % mbs != 0) {
    return "the global batch " + number(batch_of(job)) + " is not divisible by " + number(mbs);
  }
  return "";
}

std::string dp_fault(const Job& job, std::int64_t dp) {
  if (dp < 1 || dp > job.network.devices) return number(job.network.devices) + " devices";
  if (batch_of(job) % dp != 0) {
    return "the global batch " + number(batch_of(job)) + " is not divisible by " + number(dp);
  }
  return "";
}

std::string zero_fault(const Job& job, std::int64_t zero) {
  const std::vector<std::int64_t>& offered = job.stack.zero;
  if (std::find(offered.begin(), offered.end(), zero) != offered.end()) return "";
  return job.stack.name + " does not offer ZeRO " + number(zero);
}

std::string config_fault(const Job& job, const Config& c) {
  const std::int64_t used = c.devices();
  if (used > job.network.devices) {
    return "tp cp dp pp = " + number(used) + " exceeds " + number(job.network.devices) + " devices";
  }
  if (!processes_even(job, used)) {
    return number(used) + " devices do not fill whole nodes of " + number(job.network.node_size);
  }
  if (batch_of(job) % (c.mbs * c.dp) != 0) {
    return "the global batch " + number(batch_of(job)) +
           " is not divisible by mbs dp = " + number(c.mbs * c.dp);
  }
  if ((c.tp * c.cp * c.dp) % (c.ep * c.etp) != 0) {
    return "ep etp = " + number(c.ep * c.etp) +
           " does not divide tp cp dp = " + number(c.tp * c.cp * c.dp);
  }
  if (c.ep * c.etp > 1 && !grids_agree(c))
    return "the order puts experts and stages across each other";
  if (interleaves(job, c)) return "";
  if (c.pp == 1) return "vpp > 1 needs pp > 1";
  const std::int64_t m = batch_of(job) / (c.mbs * c.dp);
  if (m % c.pp != 0) return number(m) + " micro-batches are not divisible by pp = " + number(c.pp);
  if (c.pp * c.vpp > job.model.layers + 2) return "fewer layers than chunks";
  const std::string fault = vpp_fault(job, c.vpp);
  return fault.empty() ? job.stack.name + " needs equal chunks" : fault;
}

std::vector<Config> strategy_classes(const Job& job, const FixedDegrees& fixed) {
  const auto of = [&job](auto fault) {
    return [&job, fault](std::int64_t v) { return fault(job, v); };
  };
  std::vector<std::int64_t> micro = divisors(batch_of(job));
  std::erase_if(micro, [&fixed](std::int64_t b) { return b > fixed.max_micro_batch; });
  const auto mbs = legal(fixed.mbs, micro, of(mbs_fault));
  const auto tp = legal(fixed.tp, divisors(job.model.heads), of(tp_fault));
  const auto cp = legal(fixed.cp, powers_of_two(job.training.sequence_length), of(cp_fault));
  const auto ep =
      legal(fixed.ep, divisors(std::max<std::int64_t>(1, job.model.moe.experts)), of(ep_fault));
  std::vector<Config> classes;
  for (const std::int64_t b : mbs) {
    for (const std::int64_t t : tp) {
      const bool sp = t > 1 && fixed.sp.value_or(job.stack.sequence_parallel);
      const std::vector<std::int64_t> split =
          t == 1 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, t};
      for (const std::int64_t c : cp) {
        for (const std::int64_t e : ep) {
          for (const std::int64_t et : legal(fixed.etp, split, of(etp_fault))) {
            if (t * c > job.network.devices || e * et > job.network.devices) continue;
            Config strategy;
            strategy.mbs = b;
            strategy.tp = t;
            strategy.sp = sp;
            strategy.cp = c;
            strategy.ep = e;
            strategy.etp = et;
            classes.push_back(strategy);
          }
        }
      }
    }
  }
  return classes;
}

std::vector<std::int64_t> data_sizes(const Job& job, const Config& strategy,
                                     const FixedDegrees& fixed) {
  const std::int64_t most = job.network.devices / (strategy.tp * strategy.cp);
  std::vector<std::int64_t> sizes = divisors(batch_of(job) / strategy.mbs);
  if (fixed.dp) sizes = {*fixed.dp};
  std::erase_if(sizes, [&](std::int64_t dp) {
    return dp > most || batch_of(job) % (strategy.mbs * dp) != 0 ||
           (strategy.tp * strategy.cp * dp) % (strategy.ep * strategy.etp) != 0;
  });
  return sizes;
}

std::vector<StageOption> stage_options(const Job& job, const Config& config,
                                       const FixedDegrees& fixed) {
  std::vector<Recompute> kinds{Recompute::kNone};
  if (job.stack.selective_recompute) kinds.push_back(Recompute::kSelective);
  kinds.push_back(Recompute::kFull);
  if (fixed.recompute) kinds = {*fixed.recompute};
  std::vector<StageOption> options;
  for (const std::int64_t zero :
       legal(fixed.zero, job.stack.zero, [&job](std::int64_t z) { return zero_fault(job, z); })) {
    if (zero >= 2 && config.pp > 1 && !job.stack.zero_with_pipeline) continue;
    std::vector<std::int64_t> groups = shard_groups(config, job.network);
    if (zero == 0) groups.resize(1);
    for (const std::int64_t group : groups) {
      if (group == 1 && zero > 0 && options.size() > 0) continue;  // sharding over one is ZeRO 0
      for (const Recompute kind : kinds) {
        options.push_back({.zero = zero, .shard_group = group, .recompute = kind});
      }
    }
  }
  return options;
}

std::vector<Order> distinct_orders(const Job& job, const Config& config,
                                   const FixedDegrees& fixed) {
  std::vector<Order> candidates;
  if (fixed.order) candidates.push_back(*fixed.order);
  for (const std::string& name : job.stack.orders) {
    Order order;
    CHECK(parse_order(name, order), "stack order was validated");
    if (!fixed.order) candidates.push_back(order);
  }
  const auto same = [](const Group& a, const Group& b) {
    for (std::size_t f = 0; f < a.factors.size(); ++f) {
      const bool alone = a.factors[f].size == 1 && b.factors[f].size == 1;
      if (!alone &&
          (a.factors[f].size != b.factors[f].size || a.factors[f].stride != b.factors[f].stride)) {
        return false;
      }
    }
    return true;
  };
  std::vector<Order> orders;
  std::vector<GroupLayout> layouts;
  for (const Order& order : candidates) {
    Config placed = config;
    placed.order = order;
    if (config.ep * config.etp > 1 && !grids_agree(placed)) continue;
    const GroupLayout layout = layout_groups(placed);
    const bool known = std::any_of(layouts.begin(), layouts.end(), [&](const GroupLayout& other) {
      return same(layout.tensor, other.tensor) && same(layout.context, other.context) &&
             same(layout.data, other.data) && same(layout.expert, other.expert) &&
             same(layout.expert_data, other.expert_data) &&
             same(layout.expert_tensor, other.expert_tensor) &&
             (config.pp == 1 || layout.pipeline_stride == other.pipeline_stride);
    });
    if (known) continue;
    layouts.push_back(layout);
    orders.push_back(order);
  }
  return orders;
}

}  // namespace nestplan
