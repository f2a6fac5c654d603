#include "io/hf_family_parts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace nestplan::hf {
namespace {

// The n of "every n-th block is full" that describes `full`; 0 when none is; -1 when no n does.
std::int64_t interval_of(const std::vector<bool>& full) {
  const auto first = std::find(full.begin(), full.end(), true);
  if (first == full.end()) return 0;
  const std::int64_t interval = first - full.begin() + 1;
  for (std::int64_t block = 0; block < std::ssize(full); ++block) {
    if (full[static_cast<std::size_t>(block)] != ((block + 1) % interval == 0)) return -1;
  }
  return interval;
}

// Whether each block attends fully, from layer_types; a fault where an entry is neither.
std::vector<bool> full_blocks(HfReader& reader, const nlohmann::json& types) {
  std::vector<bool> full;
  for (const nlohmann::json& type : types) {
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    const bool windowed = name == "sliding_attention" || name == "chunked_attention";
    if (!windowed && name != "full_attention") {
      reader.fault("layer_types/" + std::to_string(full.size()), "unsupported",
                   "found " + describe_json(type) +
                       "; can price full_attention, sliding_attention, chunked_attention");
      return {};
    }
    full.push_back(!windowed);
  }
  return full;
}

}  // namespace

void read_heads(HfReader& reader, ModelSpec& model, const Defaults& defaults) {
  model.kv_heads = reader.optional("kv_heads", {"num_key_value_heads"},
                                   defaults.kv_heads > 0 ? defaults.kv_heads : model.heads);
  model.head_dim = reader.optional("head_dim", {"head_dim"}, defaults.head_dim);
  if (reader.given("head_dim") || model.head_dim > 0 || model.heads == 0) return;
  model.head_dim = model.hidden_size / model.heads;
  if (model.hidden_size % model.heads != 0) {
    reader.fault("hidden_size", "not-a-multiple",
                 "found " + std::to_string(model.hidden_size) + ", not a multiple of the " +
                     std::to_string(model.heads) + " heads, and no head_dim is given");
  }
}

void read_shape(HfReader& reader, ModelSpec& model, const Defaults& defaults) {
  model.layers = reader.required("layers", {"num_hidden_layers", "n_layer", "num_layers"});
  model.hidden_size = reader.required("hidden_size", {"hidden_size", "n_embd", "n_embed"});
  model.heads = reader.required("heads", {"num_attention_heads", "n_head"});
  model.ffn_size = reader.required("ffn_size", {"intermediate_size"});
  model.vocab_size = reader.required("vocab_size", {"vocab_size"});
  model.max_sequence_length = reader.optional(
      "max_sequence_length", {"max_position_embeddings", "n_positions"}, defaults.positions);
  model.tied_embeddings = reader.flag("tie_word_embeddings", defaults.tied);
  read_heads(reader, model, defaults);
}

void set_gpt_style(ModelSpec& model) {
  model.gated_mlp = false;
  model.norm = Norm::kLayerNorm;
  model.qkv_bias = model.output_bias = model.mlp_bias = true;
}

void read_attention_bias(HfReader& reader, ModelSpec& model, bool otherwise) {
  model.qkv_bias = model.output_bias = reader.flag("attention_bias", otherwise);
}

void read_window(HfReader& reader, ModelSpec& model, std::int64_t window, std::int64_t interval) {
  if (const nlohmann::json* types = reader.list("layer_types"); types != nullptr) {
    if (std::ssize(*types) != model.layers) {
      reader.fault("layer_types", "inconsistent",
                   "found " + std::to_string(types->size()) + " entries for " +
                       std::to_string(model.layers) + " layers");
      return;
    }
    const std::vector<bool> full = full_blocks(reader, *types);
    if (full.empty()) return;
    interval = interval_of(full);
    const bool all_full = std::find(full.begin(), full.end(), false) == full.end();
    if (all_full) return;
    if (interval < 0) {
      reader.fault("layer_types", "unsupported",
                   "full attention does not repeat every n blocks; can price only that");
      return;
    }
  }
  if (window <= 0 || window >= model.max_sequence_length || interval == 1) return;
  model.sliding_window = window;
  model.full_attention_interval = interval;
}

void read_dense_prefix(HfReader& reader, ModelSpec& model) {
  const nlohmann::json* dense = reader.list("mlp_only_layers");
  if (dense == nullptr) return;
  std::int64_t next = 0;
  for (const nlohmann::json& block : *dense) {
    if (!block.is_number_integer() || block != next) {
      reader.fault("mlp_only_layers/" + std::to_string(next), "unsupported",
                   "found " + describe_json(block) + "; can price dense blocks only as a prefix: " +
                       std::to_string(next) + " here");
      return;
    }
    ++next;
  }
  model.moe.first_dense_layers = next;
}

}  // namespace nestplan::hf
