// The model: what its config file says.
#include "io/fields.h"

namespace nestplan {
namespace {

constexpr double kMostLayers = 1e4;
constexpr double kMostWidth = 1e8;
constexpr double kMostTokens = 16777216;

}  // namespace

template <>
const std::vector<Field<LatentAttention>>& fields_of() {
  using M = LatentAttention;
  static const std::vector<Field<M>> fields = {
      {{.key = "q_lora_rank",
        .title = "Query rank",
        .range = {0, kMostWidth},
        .help = "Width of the compressed queries; 0 projects them directly."},
       at<&M::q_lora_rank>},
      {{.key = "kv_lora_rank",
        .title = "Key and value rank",
        .range = {0, kMostWidth},
        .help = "Width of the compressed keys and values; 0 turns latent attention off."},
       at<&M::kv_lora_rank>},
      {{.key = "qk_nope_head_dim",
        .title = "Head size without position",
        .range = {0, kMostWidth},
        .help = "Part of a query or key head that carries no position."},
       at<&M::qk_nope_head_dim>},
      {{.key = "qk_rope_head_dim",
        .title = "Head size with position",
        .range = {0, kMostWidth},
        .help = "Part of a query or key head that carries the rotary position."},
       at<&M::qk_rope_head_dim>},
      {{.key = "v_head_dim",
        .title = "Value head size",
        .range = {0, kMostWidth},
        .help = "Size of one value head."},
       at<&M::v_head_dim>},
  };
  return fields;
}

template <>
const std::vector<Field<MixtureOfExperts>>& fields_of() {
  using M = MixtureOfExperts;
  static const std::vector<Field<M>> fields = {
      {{.key = "experts",
        .title = "Experts",
        .range = {0, 1e6},
        .help = "Routed experts of one block; 0 means every block has one dense MLP."},
       at<&M::experts>},
      {{.key = "top_k",
        .title = "Experts per token",
        .range = {0, 1e6},
        .help = "How many routed experts each token visits."},
       at<&M::top_k>},
      {{.key = "expert_ffn_size",
        .title = "Expert width",
        .range = {0, kMostWidth},
        .help = "Inner width of the MLP of one routed expert."},
       at<&M::expert_ffn_size>},
      {{.key = "shared_ffn_size",
        .title = "Shared expert width",
        .range = {0, kMostWidth},
        .help = "Inner width of the experts that every token visits, all together; 0 for none."},
       at<&M::shared_ffn_size>},
      {{.key = "first_dense_layers",
        .title = "Dense blocks first",
        .range = {0, kMostLayers},
        .help = "The first blocks that have a dense MLP instead of experts."},
       at<&M::first_dense_layers>},
      {{.key = "every_n_layers",
        .title = "Expert blocks every",
        .unit = "blocks",
        .range = {1, kMostLayers},
        .help = "After the dense ones, every n-th block has experts; 1 means all."},
       at<&M::every_n_layers>},
      {{.key = "shared_gate",
        .title = "Gate on the shared expert",
        .help = "A learned scalar scales the shared expert (Qwen2-MoE)."},
       at<&M::shared_gate>},
      {{.key = "router_bias", .title = "Router bias", .help = "The router has a bias per expert."},
       at<&M::router_bias>},
      {{.key = "expert_bias",
        .title = "Expert biases",
        .help = "The matrices of an expert have biases (gpt-oss)."},
       at<&M::expert_bias>},
  };
  return fields;
}

namespace {

using M = ModelSpec;
using Fields = std::vector<Field<M>>;

Fields size_fields() {
  return {
      {{.key = "name",
        .title = "Name",
        .range = {0, 200},
        .fallback = "custom model",
        .help = "What to call the model in answers."},
       at<&M::name>},
      {{.key = "layers",
        .title = "Blocks",
        .range = {1, kMostLayers},
        .presence = Presence::kRequired,
        .help = "Transformer blocks, without embedding and output head."},
       at<&M::layers>},
      {{.key = "hidden_size",
        .title = "Hidden size",
        .range = {1, kMostWidth},
        .presence = Presence::kRequired,
        .help = "Width of the vector that carries one token from block to block."},
       at<&M::hidden_size>},
      {{.key = "heads",
        .title = "Attention heads",
        .range = {1, kMostWidth},
        .presence = Presence::kRequired,
        .help = "Query heads of one block."},
       at<&M::heads>},
      {{.key = "kv_heads",
        .title = "Key and value heads",
        .range = {1, kMostWidth},
        .presence = Presence::kRequired,
        .help =
            "Heads of keys and values; fewer than query heads means grouped queries. It divides "
            "the query heads."},
       at<&M::kv_heads>},
      {{.key = "head_dim",
        .title = "Head size",
        .range = {1, kMostWidth},
        .presence = Presence::kRequired,
        .help = "Width of one head, often the hidden size divided by the heads."},
       at<&M::head_dim>},
      {{.key = "ffn_size",
        .title = "MLP width",
        .range = {0, kMostWidth},
        .presence = Presence::kRequired,
        .help = "Inner width of the dense MLP; 0 only where every block has experts."},
       at<&M::ffn_size>},
      {{.key = "vocab_size",
        .title = "Vocabulary",
        .unit = "tokens",
        .range = {1, kMostWidth},
        .presence = Presence::kRequired,
        .help = "Different tokens the model knows."},
       at<&M::vocab_size>},
      {{.key = "max_sequence_length",
        .title = "Longest sequence",
        .unit = "tokens",
        .range = {1, kMostTokens},
        .presence = Presence::kRequired,
        .help = "Most tokens the model can read at once."},
       at<&M::max_sequence_length>},
  };
}

Fields shape_fields() {
  return {
      {{.key = "gated_mlp",
        .title = "Gated MLP",
        .help = "Three matrices with a gate (SwiGLU and kin) instead of two."},
       at<&M::gated_mlp>},
      {{.key = "tied_embeddings",
        .title = "Tied embeddings",
        .help = "Input table and output matrix are the same weights."},
       at<&M::tied_embeddings>},
      {{.key = "causal",
        .title = "Causal",
        .help = "Each token sees only the ones before it; false for encoders such as BERT."},
       at<&M::causal>},
      {{.key = "norm",
        .title = "Normalisation",
        .choices = {"rms", "layernorm", "layernorm-no-bias"},
        .help =
            "RMSNorm has one weight per channel, LayerNorm a bias beside it unless it says not."},
       at<&M::norm>},
      {{.key = "norms_per_layer",
        .title = "Norms per block",
        .range = {0, 8},
        .help = "Normalisations of full width in one block: 2 for most, 4 for Gemma 2."},
       at<&M::norms_per_layer>},
      {{.key = "final_norm",
        .title = "Final norm",
        .help = "A normalisation between the last block and the output head."},
       at<&M::final_norm>},
      {{.key = "qk_norm",
        .title = "Query and key norm",
        .choices = {"none", "per-head", "full-width"},
        .help = "Whether queries and keys are normalised, and over what width."},
       at<&M::qk_norm>},
      {{.key = "qkv_bias",
        .title = "Bias on queries, keys, values",
        .help = "The projections into attention have biases."},
       at<&M::qkv_bias>},
      {{.key = "output_bias",
        .title = "Bias on attention output",
        .help = "The projection out of attention has a bias."},
       at<&M::output_bias>},
      {{.key = "mlp_bias", .title = "Bias in the MLP", .help = "The MLP matrices have biases."},
       at<&M::mlp_bias>},
      {{.key = "attention_sinks",
        .title = "Attention sinks",
        .help = "One learned logit per head that attends to nothing (gpt-oss)."},
       at<&M::attention_sinks>},
  };
}

Fields special_fields() {
  return {
      {{.key = "learned_positions",
        .title = "Learned positions",
        .unit = "rows",
        .range = {0, kMostTokens},
        .help = "Rows of a learned position table; 0 where positions are rotary or computed."},
       at<&M::learned_positions>},
      {{.key = "token_types",
        .title = "Token types",
        .unit = "rows",
        .range = {0, kMostWidth},
        .help = "Rows of a token-type table (BERT has 2); 0 for none."},
       at<&M::token_types>},
      {{.key = "embedding_norm",
        .title = "Norm after the embeddings",
        .help = "A normalisation right after the embedding tables (BERT, BLOOM)."},
       at<&M::embedding_norm>},
      {{.key = "masked_lm_head",
        .title = "Masked-language head",
        .help = "BERT's head: a dense layer, a norm and a bias before the output matrix."},
       at<&M::masked_lm_head>},
      {{.key = "head_bias",
        .title = "Bias on the output matrix",
        .help = "The output matrix has a bias per vocabulary entry (Phi)."},
       at<&M::head_bias>},
      {{.key = "sliding_window",
        .title = "Sliding window",
        .unit = "tokens",
        .range = {0, kMostTokens},
        .help = "Tokens that a local attention block looks back; 0 means full attention."},
       at<&M::sliding_window>},
      {{.key = "full_attention_interval",
        .title = "Full attention every",
        .unit = "blocks",
        .range = {0, kMostLayers},
        .help = "With a sliding window, every n-th block still attends fully; 0 means none does."},
       at<&M::full_attention_interval>},
      {{.key = "mla",
        .title = "Latent attention",
        .help = "Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434). Leave it out if the "
                "model has none."},
       at<&M::mla>},
      {{.key = "moe",
        .title = "Mixture of experts",
        .help = "Routed experts in place of the dense MLP. Leave it out if the model has none."},
       at<&M::moe>},
  };
}

}  // namespace

template <>
const std::vector<Field<ModelSpec>>& fields_of() {
  static const Fields fields = [] {
    Fields all = size_fields();
    for (const Fields& more : {shape_fields(), special_fields()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return fields;
}

}  // namespace nestplan
