#include "model/validate.h"

#include <string>
#include <utility>

namespace nestplan {
namespace {

// Largest counts accepted, far above any model: they keep all sums inside 64 bits.
constexpr std::int64_t kMostLayers = 100'000;
constexpr std::int64_t kMostWidth = 100'000'000;
constexpr double kMostParameters = 1e17;

class Faults {
 public:
  void add(const std::string& key, std::string code, std::string message, std::string hint = "") {
    issues_.push_back({"/model/" + key, std::move(code), std::move(message), std::move(hint)});
  }
  // True when low <= value <= high; otherwise adds an issue.
  bool in_range(const std::string& key, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value >= low && value <= high) return true;
    add(key, "out-of-range",
        "found " + std::to_string(value) + "; allowed: " + std::to_string(low) + " to " +
            std::to_string(high));
    return false;
  }
  [[nodiscard]] bool empty() const { return issues_.empty(); }
  [[nodiscard]] std::vector<Issue> take() { return std::move(issues_); }

 private:
  std::vector<Issue> issues_;
};

bool has_moe(const ModelSpec& spec) { return spec.moe.experts > 0; }

bool has_dense_block(const ModelSpec& spec) {
  return !has_moe(spec) || spec.moe.first_dense_layers > 0 || spec.moe.every_n_layers > 1;
}

void check_ranges(const ModelSpec& spec, Faults& faults) {
  faults.in_range("layers", spec.layers, 1, kMostLayers);
  faults.in_range("hidden_size", spec.hidden_size, 1, kMostWidth);
  faults.in_range("heads", spec.heads, 1, kMostWidth);
  faults.in_range("kv_heads", spec.kv_heads, 1, kMostWidth);
  faults.in_range("head_dim", spec.head_dim, 1, kMostWidth);
  faults.in_range("ffn_size", spec.ffn_size, has_dense_block(spec) ? 1 : 0, kMostWidth);
  faults.in_range("vocab_size", spec.vocab_size, 1, kMostWidth);
  faults.in_range("max_sequence_length", spec.max_sequence_length, 1, 10 * kMostWidth);
  faults.in_range("norms_per_layer", spec.norms_per_layer, 0, 8);
  faults.in_range("learned_positions", spec.learned_positions, 0, 10 * kMostWidth);
  faults.in_range("token_types", spec.token_types, 0, kMostWidth);
}

void check_attention(const ModelSpec& spec, Faults& faults) {
  if (spec.kv_heads > 0 && spec.heads > 0 && spec.heads % spec.kv_heads != 0) {
    faults.add("kv_heads", "not-a-divisor",
               "found " + std::to_string(spec.kv_heads) + "; it must divide the " +
                   std::to_string(spec.heads) + " query heads");
  }
  if (spec.learned_positions > 0 && spec.learned_positions < spec.max_sequence_length) {
    faults.add("max_sequence_length", "out-of-range",
               "found " + std::to_string(spec.max_sequence_length) +
                   " tokens; the learned position table has only " +
                   std::to_string(spec.learned_positions) + " rows");
  }
  faults.in_range("sliding_window", spec.sliding_window, 0, 10 * kMostWidth);
  faults.in_range("full_attention_interval", spec.full_attention_interval, 0, kMostLayers);
  if (spec.sliding_window > 0 && spec.full_attention_interval == 1) {
    faults.add("full_attention_interval", "no-effect",
               "found 1: every block attends fully, so the sliding window of " +
                   std::to_string(spec.sliding_window) + " tokens is never used",
               "0 uses the window in every block, n lets every n-th block attend fully");
  }
  if (spec.sliding_window == 0 && spec.full_attention_interval != 1) {
    faults.add("full_attention_interval", "no-effect",
               "found " + std::to_string(spec.full_attention_interval) +
                   " without a sliding_window; allowed without one: 1");
  }
}

void check_mla(const ModelSpec& spec, Faults& faults) {
  const LatentAttention& mla = spec.mla;
  if (mla == LatentAttention{}) return;
  bool complete = faults.in_range("mla/kv_lora_rank", mla.kv_lora_rank, 1, kMostWidth);
  complete &= faults.in_range("mla/q_lora_rank", mla.q_lora_rank, 0, kMostWidth);
  complete &= faults.in_range("mla/qk_nope_head_dim", mla.qk_nope_head_dim, 1, kMostWidth);
  complete &= faults.in_range("mla/qk_rope_head_dim", mla.qk_rope_head_dim, 1, kMostWidth);
  complete &= faults.in_range("mla/v_head_dim", mla.v_head_dim, 1, kMostWidth);
  if (!complete) return;
  const std::int64_t query = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
  if (spec.head_dim != query) {
    faults.add("head_dim", "inconsistent",
               "found " + std::to_string(spec.head_dim) +
                   "; latent attention needs qk_nope_head_dim + qk_rope_head_dim = " +
                   std::to_string(query));
  }
  if (spec.kv_heads != spec.heads) {
    faults.add("kv_heads", "inconsistent",
               "found " + std::to_string(spec.kv_heads) +
                   "; latent attention has as many key heads as query heads, " +
                   std::to_string(spec.heads));
  }
  if (spec.qk_norm != QkNorm::kNone) {
    faults.add("qk_norm", "inconsistent",
               "latent attention normalises its latent vectors; allowed: none");
  }
}

void check_no_moe(const MixtureOfExperts& moe, Faults& faults) {
  if (moe == MixtureOfExperts{}) return;
  faults.in_range("moe/experts", moe.experts, 1, kMostWidth);
}

void check_moe(const ModelSpec& spec, Faults& faults) {
  const MixtureOfExperts& moe = spec.moe;
  if (!has_moe(spec)) return check_no_moe(moe, faults);
  faults.in_range("moe/experts", moe.experts, 1, 1'000'000);
  faults.in_range("moe/expert_ffn_size", moe.expert_ffn_size, 1, kMostWidth);
  faults.in_range("moe/shared_ffn_size", moe.shared_ffn_size, 0, kMostWidth);
  if (moe.top_k < 1 || moe.top_k > moe.experts) {
    faults.add("moe/top_k", "out-of-range",
               "found " + std::to_string(moe.top_k) + " experts per token; allowed: 1 to " +
                   std::to_string(moe.experts) + ", the number of experts");
  }
  if (moe.first_dense_layers < 0 || moe.first_dense_layers > spec.layers) {
    faults.add("moe/first_dense_layers", "out-of-range",
               "found " + std::to_string(moe.first_dense_layers) + "; allowed: 0 to " +
                   std::to_string(spec.layers) + ", the number of layers");
  }
  if (moe.every_n_layers < 1 || moe.every_n_layers > spec.layers) {
    faults.add("moe/every_n_layers", "out-of-range",
               "found " + std::to_string(moe.every_n_layers) + "; allowed: 1 to " +
                   std::to_string(spec.layers) + ", the number of layers");
  }
  if (moe.shared_gate && moe.shared_ffn_size == 0) {
    faults.add("moe/shared_gate", "no-effect", "found a gate but shared_ffn_size is 0");
  }
}

// Upper bound of the parameter count in floating point, where nothing overflows.
double rough_parameters(const ModelSpec& spec) {
  const auto real = [](std::int64_t count) { return static_cast<double>(count); };
  const double h = real(spec.hidden_size);
  const LatentAttention& mla = spec.mla;
  const double heads = real(spec.heads) + 2 * real(spec.kv_heads);
  const double head_dims = real(spec.head_dim) + real(mla.v_head_dim);
  const double latent = real(mla.q_lora_rank) + real(mla.kv_lora_rank) + real(mla.qk_rope_head_dim);
  const double attention = 2 * heads * head_dims * (h + latent) + h * latent;
  const double widths = real(spec.ffn_size) + real(spec.moe.shared_ffn_size) +
                        real(spec.moe.experts) * (real(spec.moe.expert_ffn_size) + 2);
  const double tables =
      2 * real(spec.vocab_size) + real(spec.learned_positions) + real(spec.token_types) + h;
  return real(spec.layers) * (attention + 4 * h * widths + 32 * h) + 2 * tables * h;
}

void check_size(const ModelSpec& spec, Faults& faults) {
  if (!faults.empty() || rough_parameters(spec) < kMostParameters) return;
  faults.add("hidden_size", "too-large",
             "these sizes describe a model of more than 1e17 parameters, the most accepted");
}

}  // namespace

std::vector<Issue> validate_model(const ModelSpec& spec) {
  Faults faults;
  check_ranges(spec, faults);
  check_attention(spec, faults);
  check_mla(spec, faults);
  check_moe(spec, faults);
  check_size(spec, faults);
  return faults.take();
}

}  // namespace nestplan
