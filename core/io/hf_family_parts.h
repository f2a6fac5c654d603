// What the families of hf_families.h share.
#pragma once

#include <cstdint>

#include "io/hf_reader.h"
#include "model/spec.h"

namespace nestplan::hf {

// Defaults of a configuration class; 0 means "derived".
struct Defaults {
  bool tied = false;
  std::int64_t kv_heads = 0;  // 0: as many as heads
  std::int64_t head_dim = 0;  // 0: hidden_size / heads
  std::int64_t positions = 2048;
};

// Layers, sizes, heads, vocabulary, positions and tying under their usual names.
void read_shape(HfReader& reader, ModelSpec& model, const Defaults& defaults);
// kv_heads and head_dim alone, after hidden_size and heads.
void read_heads(HfReader& reader, ModelSpec& model, const Defaults& defaults);

// LayerNorm with biases everywhere and a two-matrix MLP.
void set_gpt_style(ModelSpec& model);
// attention_bias: on q, k, v and on the output.
void read_attention_bias(HfReader& reader, ModelSpec& model, bool otherwise = false);

// Every `interval`-th block attends fully, the others over `window` tokens (0: no window). A
// window as long as the model's longest sequence is none. `layer_types`, where given, decides
// instead of `interval`.
void read_window(HfReader& reader, ModelSpec& model, std::int64_t window, std::int64_t interval);

// mlp_only_layers: a prefix of dense blocks.
void read_dense_prefix(HfReader& reader, ModelSpec& model);

// Families with routed experts: hf_families_moe.cpp.
void read_mixtral(HfReader& reader, ModelSpec& model);
void read_qwen2_moe(HfReader& reader, ModelSpec& model);
void read_qwen3_moe(HfReader& reader, ModelSpec& model);
void read_deepseek_v2(HfReader& reader, ModelSpec& model);
void read_deepseek_v3(HfReader& reader, ModelSpec& model);
void read_gpt_oss(HfReader& reader, ModelSpec& model);
void read_llama4(HfReader& reader, ModelSpec& model);

}  // namespace nestplan::hf
