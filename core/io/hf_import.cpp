#include "io/hf_import.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/issue.h"
#include "io/hf_families.h"
#include "io/hf_reader.h"
#include "model/validate.h"

namespace nestplan {
namespace {

// Keys that change neither parameters nor FLOPs: activations, rotary positions, dropout, token
// ids, generation, initialisation, logs, quantisation of a checkpoint, other modalities.
constexpr auto kIgnored = std::to_array<std::string_view>({
    "_attn_implementation",
    "_attn_implementation_autoset",
    "_commit_hash",
    "_name_or_path",
    "activation",
    "activation_dropout",
    "activation_function",
    "add_cross_attention",
    "alibi",
    "apply_query_key_layer_scaling",
    "apply_residual_connection_post_layernorm",
    "architectures",
    "attention_bias",
    "attention_dropout",
    "attention_multiplier",
    "attention_probs_dropout_prob",
    "attention_softmax_in_fp32",
    "attn_logit_softcapping",
    "attn_pdrop",
    "attn_scale",
    "attn_temperature_tuning",
    "audio_config",
    "audio_token_id",
    "auto_map",
    "aux_loss_alpha",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bias_dropout_fusion",
    "boi_token_id",
    "boi_token_index",
    "bos_token_id",
    "cache_implementation",
    "chunk_size_feed_forward",
    "classifier_dropout",
    "classifier_dropout_prob",
    "clip_qkv",
    "cross_attention_hidden_size",
    "decoder_start_token_id",
    "directionality",
    "diversity_penalty",
    "do_sample",
    "dropout",
    "dtype",
    "dual_chunk_attention_config",
    "early_stopping",
    "embd_pdrop",
    "embedding_multiplier",
    "encoder_no_repeat_ngram_size",
    "eoi_token_id",
    "eoi_token_index",
    "eos_token_id",
    "ep_size",
    "exponential_decay_length_penalty",
    "final_logit_softcapping",
    "finetuning_task",
    "floor_scale",
    "for_llm_class",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "gradient_checkpointing",
    "head_dim",
    "hidden_act",
    "hidden_activation",
    "hidden_dropout",
    "hidden_dropout_prob",
    "id2label",
    "image_token_id",
    "image_token_index",
    "init_std",
    "initial_context_length",
    "initializer_factor",
    "initializer_range",
    "is_decoder",
    "is_encoder_decoder",
    "label2id",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "layer_types",
    "layerdrop",
    "length_penalty",
    "logit_scale",
    "logits_scaling",
    "mask_token_id",
    "masked_softmax_fusion",
    "max_length",
    "max_window_layers",
    "min_length",
    "mlp_only_layers",
    "mm_tokens_per_image",
    "model_max_length",
    "model_type",
    "multi_modal_projector_bias",
    "multimodal_projector_bias",
    "n_ctx",
    "n_group",
    "no_repeat_ngram_size",
    "no_rope_layer_interval",
    "no_rope_layers",
    "norm_eps",
    "norm_topk_prob",
    "num_beam_groups",
    "num_beams",
    "num_nextn_predict_layers",
    "num_return_sequences",
    "offset_alibi",
    "original_max_position_embeddings",
    "output_attentions",
    "output_hidden_states",
    "output_router_logits",
    "output_scores",
    "pad_token_id",
    "padding_idx",
    "partial_rotary_factor",
    "pooler_fc_size",
    "pooler_num_attention_heads",
    "pooler_num_fc_layers",
    "pooler_size_per_head",
    "pooler_type",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "projector_hidden_act",
    "pruned_heads",
    "quantization_config",
    "query_pre_attn_scalar",
    "remove_invalid_values",
    "reorder_and_upcast_attn",
    "repetition_penalty",
    "resid_pdrop",
    "residual_dropout",
    "residual_multiplier",
    "return_dict",
    "return_dict_in_generate",
    "rms_norm_eps",
    "rope_interleaved",
    "rope_local_base_freq",
    "rope_parameters",
    "rope_scaling",
    "rope_theta",
    "rope_type",
    "rotary_emb_base",
    "rotary_pct",
    "routed_scaling_factor",
    "router_aux_loss_coef",
    "router_aux_loss_weight",
    "router_jitter_noise",
    "scale_attention_softmax_in_fp32",
    "scale_attn_by_inverse_layer_idx",
    "scale_attn_weights",
    "scoring_func",
    "sep_token_id",
    "seq_aux",
    "seq_length",
    "sliding_window",
    "slow_but_exact",
    "spatial_merge_size",
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    "suppress_tokens",
    "swiglu_limit",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tie_encoder_decoder",
    "tokenizer_class",
    "top_k",
    "top_p",
    "topk_group",
    "topk_method",
    "torch_dtype",
    "torchscript",
    "transformers_version",
    "typical_p",
    "unk_token_id",
    "use_bfloat16",
    "use_bidirectional_attention",
    "use_cache",
    "use_flash_attn",
    "use_mrope",
    "use_parallel_residual",
    "use_qk_norm",
    "use_return_dict",
    "use_sliding_window",
    "video_token_id",
    "vision_config",
    "vision_end_token_id",
    "vision_feature_layer",
    "vision_start_token_id",
    "vision_token_id",
});
static_assert(std::is_sorted(kIgnored.begin(), kIgnored.end()));

bool is_ignored(std::string_view key) {
  return std::binary_search(kIgnored.begin(), kIgnored.end(), key);
}

// Sorts the keys of `reader`'s object that were not read into the two lists.
void list_keys(const HfReader& reader, const std::string& prefix, HfImport& result) {
  for (const auto& [key, value] : reader.object().items()) {
    if (reader.used().contains(key)) continue;
    (is_ignored(key) ? result.ignored_keys : result.unknown_keys).push_back(prefix + key);
  }
}

// A fault of the whole model, placed at the key that the field came from.
Issue relocated(const Issue& issue, const HfReader& reader) {
  const std::string field = issue.path.substr(std::string_view("/model/").size());
  return {reader.origin(field), issue.code, field + ": " + issue.message, issue.hint};
}

const HfFamily* find_family(const std::string& model_type) {
  for (const HfFamily& family : hf_families()) {
    if (family.model_type == model_type) return &family;
  }
  return nullptr;
}

std::string known_types() {
  std::string text;
  for (const std::string& type : hf_model_types()) text += (text.empty() ? "" : ", ") + type;
  return text;
}

// The family named in the language part, or else at the top.
const HfFamily* choose_family(HfReader& top, HfReader& language) {
  HfReader& named = language.given("model_type") ? language : top;
  if (!named.given("model_type")) {
    top.fault("model_type", "missing", "it names the architecture", "known: " + known_types());
    return nullptr;
  }
  const std::string type = named.text("model_type");
  const HfFamily* family = find_family(type);
  if (family == nullptr) {
    named.fault("model_type", "unsupported-architecture",
                "found " + describe_json(*named.object().find("model_type")) +
                    ", an architecture that cannot be priced",
                "known: " + known_types());
  }
  return family;
}

void throw_if_any(std::vector<Issue>& issues) {
  if (!issues.empty()) throw InputError(std::move(issues));
}

void require_object(const nlohmann::json& value, const std::string& path) {
  if (value.is_object()) return;
  throw InputError(
      {{path, "wrong-type", "found " + describe_json(value) + "; expected an object", ""}});
}

}  // namespace

std::vector<std::string> hf_model_types() {
  std::vector<std::string> types;
  for (const HfFamily& family : hf_families()) types.emplace_back(family.model_type);
  return types;
}

HfImport import_hf_config(const nlohmann::json& config) {
  require_object(config, "");
  std::vector<Issue> issues;
  HfReader top(config, "", issues);
  std::optional<HfReader> nested;
  if (top.given("text_config")) {
    require_object(config["text_config"], "/text_config");
    nested.emplace(config["text_config"], "/text_config", issues);
  }
  HfReader& language = nested ? *nested : top;
  const HfFamily* family = choose_family(top, language);
  throw_if_any(issues);

  HfImport result;
  ModelSpec& model = result.model;
  family->read(language, model);
  // Multimodal files may tie the text model's tables at the top.
  if (nested && !language.given("tie_word_embeddings")) {
    model.tied_embeddings = top.flag("tie_word_embeddings", model.tied_embeddings);
  }
  model.name = top.text("_name_or_path");
  if (model.name.empty()) model.name = family->model_type;
  throw_if_any(issues);
  for (const Issue& issue : validate_model(model)) issues.push_back(relocated(issue, language));
  throw_if_any(issues);

  if (nested) list_keys(*nested, "text_config.", result);
  list_keys(top, "", result);
  if (nested) std::erase(result.unknown_keys, "text_config");
  std::sort(result.ignored_keys.begin(), result.ignored_keys.end());
  std::sort(result.unknown_keys.begin(), result.unknown_keys.end());
  return result;
}

}  // namespace nestplan
