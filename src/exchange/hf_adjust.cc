// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "exchange/hf_layers.h"

namespace headrace::exchange {
namespace {

using workload::Architecture;
using workload::LayerKind;
using workload::Mixer;
using workload::NormKind;

using Layers = std::vector<LayerKind>;

void falcon(HfReading& reading, Layers& layers) {
  HfFields& fields = reading.fields;
  const bool grouped = fields.flag({"new_decoder_architecture"}, fields.find({"n_head_kv", "num_kv_heads"}) != nullptr);
  const bool parallel = grouped || fields.flag({"parallel_attn"}, true);
  // The RefinedWeb models of 1B and 7B with linear position biases are stored without a head.
  if (fields.find_anywhere({"tie_word_embeddings"}) == nullptr)
    reading.model.tied_embeddings = fields.flag({"alibi"}, false);
  for (LayerKind& layer : layers) {
    layer.parallel_residual = parallel;
    layer.norms = grouped
                      ? static_cast<int>(std::clamp<std::int64_t>(fields.count({"num_ln_in_parallel_attn"}, 2), 1, 2))
                      : (parallel ? 1 : 2);
  }
}

/// Whether the release of transformers that wrote the file comes before 4.`minor`; false when it is not stated.
bool written_before(const HfReading& reading, int minor) {
  const base::Value* version = reading.fields.find_anywhere({"transformers_version"});
  if (version == nullptr || !version->is_scalar()) return false;
  int major = 0;
  int stated = 0;
  return std::sscanf(version->raw().c_str(), "%d.%d", &major, &stated) == 2 && major <= 4 &&
         (major < 4 || stated < minor);
}

/// Older GPT-NeoX checkpoints hold per layer a causal mask of context², a masked value and the rotary table in fp32.
/// The mask is of bytes up to 4.26; then of bools, which an index's total_size counts as an eighth of a byte. Source:
/// the indices of oasst-sft-1-pythia-12b (4.26) and RedPajama-INCITE-7B (4.28).
void neox_buffers(HfReading& reading, const Layers& layers) {
  if (layers.empty() || !written_before(reading, 31)) return;
  const auto context = static_cast<double>(reading.model.context_length);
  const double mask = context * context / (written_before(reading, 27) ? 1 : 8);
  const double share = std::clamp(reading.fields.number({"rotary_pct"}, 0.25), 0.0, 1.0);
  const double rotary = 4 * std::floor(share * static_cast<double>(layers.front().mixer.head_dim) / 2);
  reading.model.stored_buffers = static_cast<double>(layers.size()) * (mask + 2 + rotary);
}

void neox(HfReading& reading, Layers& layers) {
  const bool parallel = reading.fields.flag({"use_parallel_residual"}, true);
  for (LayerKind& layer : layers) layer.parallel_residual = parallel;
  neox_buffers(reading, layers);
}

void stablelm(HfReading& reading, Layers& layers) {
  const bool parallel = reading.fields.flag({"use_parallel_residual"}, false);
  for (LayerKind& layer : layers) {
    layer.parallel_residual = parallel;
    if (parallel) layer.norms = 1;
    layer.mixer.qk_norm_whole = layer.mixer.qk_norm;
  }
}

void cohere(HfReading&, Layers& layers) {
  for (LayerKind& layer : layers) layer.mixer.qk_norm_whole = layer.mixer.qk_norm;
}

/// The query and key norms are layer norms with biases.
void persimmon(HfReading&, Layers& layers) {
  for (LayerKind& layer : layers) {
    layer.mixer.qk_norm = true;
    layer.mixer.extra_parameters += 2 * layer.mixer.head_dim;
  }
}

void opt(HfReading& reading, Layers& layers) {
  HfFields& fields = reading.fields;
  Architecture& model = reading.model;
  const std::int64_t width = fields.count({"word_embed_proj_dim"}, model.hidden);
  if (width != model.hidden) model.embedding_width = width;
  if (!fields.flag({"do_layer_norm_before"}, true) || fields.flag({"_remove_final_layer_norm"}, false))
    model.final_norm = NormKind::kPlain;
  const bool bias = fields.flag({"enable_bias"}, true);
  for (LayerKind& layer : layers) {
    layer.mixer.qkv_bias = layer.mixer.output_bias = layer.feed_forward.bias = bias;
    if (!fields.flag({"layer_norm_elementwise_affine"}, true)) layer.norm = NormKind::kPlain;
  }
}

void mpt(HfReading& reading, Layers& layers) {
  HfFields& fields = reading.fields;
  if (fields.flag({"learned_pos_emb"}, true) && !fields.flag({"attn_config.alibi", "alibi"}, false))
    reading.model.positions = reading.model.context_length;
  const bool bias = !fields.flag({"no_bias"}, true);
  reading.model.final_norm_bias = bias;
  for (LayerKind& layer : layers)
    layer.norm_bias = layer.mixer.qkv_bias = layer.mixer.output_bias = layer.feed_forward.bias = bias;
}

/// The stated width holds both gated halves.
void halves(HfReading& reading, Layers& layers) {
  for (LayerKind& layer : layers) {
    layer.feed_forward.hidden /= 2;
    if (reading.model.text_model_type == "qwen") {
      layer.mixer.output_bias = layer.feed_forward.bias = !reading.fields.flag({"no_bias"}, true);
    }
  }
}

/// The first ChatGLM: layer norms, biases everywhere, an MLP of two matrices, tied embeddings.
void chatglm(HfReading& reading, Layers& layers) {
  if (reading.fields.find({"position_encoding_2d"}) == nullptr) return;
  Architecture& model = reading.model;
  model.tied_embeddings = true;
  model.final_norm = NormKind::kLayer;
  model.final_norm_bias = true;
  for (LayerKind& layer : layers) {
    layer.norm = NormKind::kLayer;
    layer.norm_bias = layer.mixer.qkv_bias = layer.mixer.output_bias = layer.feed_forward.bias = true;
    layer.feed_forward.gated = false;
  }
}

/// Query and key norms have no weights; the shared expert is as wide as a routed one.
void llama4(HfReading&, Layers& layers) {
  for (LayerKind& layer : layers) {
    layer.mixer.qk_norm = false;
    layer.feed_forward.shared_hidden = layer.feed_forward.experts > 0 ? layer.feed_forward.expert_hidden : 0;
  }
}

/// Cross-attention layers norm queries and keys and scale both branches; eight more tokens are embedded but not
/// predicted.
void mllama(HfReading& reading, Layers& layers) {
  for (const std::int64_t index : reading.fields.counts("cross_attention_layers")) {
    if (index >= static_cast<std::int64_t>(layers.size())) continue;
    LayerKind& layer = layers[static_cast<std::size_t>(index)];
    layer.mixer.qk_norm = true;
    layer.extra_parameters = 2;
  }
  reading.model.other_parameters += 8 * reading.model.hidden;
}

/// Parameters beside the encoder's layers: token types, pooler, or the head of what the class predicts.
std::int64_t encoder_head(HfReading& reading, std::int64_t width) {
  const Architecture& model = reading.model;
  const std::string name = model.architectures.empty() ? "" : model.architectures.front();
  const std::int64_t hidden = model.hidden;
  const std::int64_t square = hidden * hidden + hidden;
  if (name.ends_with("ForMaskedLM")) return hidden * width + width + 2 * width + model.vocabulary;
  if (name.ends_with("ForSequenceClassification") && model.model_type == "roberta") return square + 2 * (hidden + 1);
  return square;
}

void bert(HfReading& reading, Layers&) {
  Architecture& model = reading.model;
  model.positions += reading.fields.count({"type_vocab_size"}, 2);
  model.final_norm = NormKind::kPlain;
  model.other_parameters += encoder_head(reading, model.hidden);
}

/// One layer's weights serve all; embeddings are narrow.
void albert(HfReading& reading, Layers& layers) {
  Architecture& model = reading.model;
  const std::int64_t width = reading.fields.count({"embedding_size"}, 128);
  model.embedding_width = width;
  model.final_norm = NormKind::kPlain;
  model.embedding_norm = false;
  // Positions and token types are as narrow as tokens; so is the norm; the projection has a bias.
  model.other_parameters += (model.positions + reading.fields.count({"type_vocab_size"}, 2) + 2) * width +
                            model.hidden + encoder_head(reading, width);
  model.positions = 0;
  for (std::size_t i = 1; i < layers.size(); ++i) layers[i].shares_weights = true;
}

/// Attention and state space side by side in every layer; told as attention, the state space counted beside it.
void falcon_h1(HfReading& reading, Layers& layers) {
  const Mixer mamba = read_mamba2(reading);
  const std::int64_t mixed = mamba.inner_dim + 2 * mamba.groups * mamba.state_dim;
  const std::int64_t projections =
      reading.model.hidden * (2 * mamba.inner_dim + mixed - mamba.inner_dim + mamba.heads + mamba.inner_dim);
  const bool normed = reading.fields.flag({"mamba_rms_norm"}, false);
  for (LayerKind& layer : layers) {
    layer.mixer.extra_parameters += projections + mixed * (mamba.conv_width + (mamba.conv_bias ? 1 : 0)) +
                                    3 * mamba.heads + (normed ? mamba.inner_dim : 0);
  }
}

/// A dense MLP beside the experts, or alone when there are none.
void granite_hybrid(HfReading& reading, Layers& layers) {
  const std::int64_t shared = reading.fields.count({"shared_intermediate_size"}, 0);
  for (LayerKind& layer : layers) {
    if (layer.feed_forward.experts == 0 && shared > 0) layer.feed_forward.hidden = shared;
  }
}

/// Every second layer re-uses keys and values of the one before (cross-layer attention).
void hunyuan(HfReading& reading, Layers& layers) {
  if (!reading.fields.flag({"use_cla"}, false)) return;
  const auto factor =
      static_cast<std::size_t>(std::max<std::int64_t>(1, reading.fields.count({"cla_share_factor"}, 2)));
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].mixer.reused_kv = i % factor != 0;
}

/// A dense MLP as wide as the hidden state beside the experts, with a norm of its own.
void arctic(HfReading& reading, Layers& layers) {
  if (!reading.fields.flag({"use_residual", "parallel_attn_mlp_res"}, true)) return;
  for (LayerKind& layer : layers) {
    layer.feed_forward.hidden = reading.model.hidden;
    layer.norms = 3;
  }
}

/// Global layers have their own head width, and may take values from keys; the last layers re-use keys and values with
/// a wider MLP.
void gemma4_layer(HfReading& reading, LayerKind& layer, bool reuses) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  Mixer& mixer = layer.mixer;
  if (mixer.window == 0) {
    mixer.head_dim = mixer.value_dim = fields.count({"global_head_dim"}, 512);
    mixer.shared_kv = fields.flag({"attention_k_eq_v"}, false);
    if (mixer.shared_kv) mixer.kv_heads = fields.count({"num_global_key_value_heads"}, mixer.kv_heads);
  }
  mixer.reused_kv = reuses;
  // Checkpoints still hold the keys and values that these layers do not use.
  if (reuses) {
    const std::int64_t unused = mixer.kv_heads * mixer.head_dim * hidden * (mixer.shared_kv ? 1 : 2) + mixer.head_dim;
    reading.model.stored_buffers += static_cast<double>(unused) * base::bytes_of(reading.model.stored);
  }
  if (layer.feed_forward.experts > 0) {
    // A dense MLP runs beside the experts, each with norms of its own; the router scales its input and its choices.
    layer.feed_forward.hidden = fields.count({"intermediate_size"}, 0);
    layer.norms += 3;
    layer.extra_parameters += hidden + layer.feed_forward.experts;
  } else if (reuses && fields.flag({"use_double_wide_mlp"}, false)) {
    layer.feed_forward.hidden *= 2;
  }
  const std::int64_t narrow = fields.count({"hidden_size_per_layer_input"}, 256);
  layer.extra_parameters += 1 + 2 * hidden * narrow + (narrow > 0 ? hidden : 0);
}

/// Gemma 4, with an embedding per layer besides. Source: its modelling code in Hugging Face transformers 5.
void gemma4(HfReading& reading, Layers& layers) {
  HfFields& fields = reading.fields;
  const auto count = static_cast<std::int64_t>(layers.size());
  const std::int64_t first_reusing = count - fields.count({"num_kv_shared_layers"}, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    gemma4_layer(reading, layers[static_cast<std::size_t>(i)], i >= first_reusing && first_reusing > 0);
  }
  const std::int64_t narrow = fields.count({"hidden_size_per_layer_input"}, 256);
  const std::int64_t vocabulary = fields.count({"vocab_size_per_layer_input"}, 262'144, 100'000'000);
  reading.model.other_parameters += count * narrow * (vocabulary + reading.model.hidden) + narrow;
}

/// Gemma 3n: a low-rank branch beside attention, several residual streams predicted from one, an embedding per layer;
/// the last layers re-use keys and values, whose matrices the checkpoint still holds. Source: its modelling code in
/// Hugging Face transformers 5.
void gemma3n(HfReading& reading, Layers& layers) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  const std::int64_t narrow = fields.count({"hidden_size_per_layer_input"}, 256);
  const std::int64_t streams = fields.count({"altup_num_inputs"}, 4, 1000);
  const std::int64_t rank = fields.count({"laurel_rank"}, 64);
  const auto widths = fields.counts("intermediate_size");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (i < widths.size()) layers[i].feed_forward.hidden = widths[i];
    const std::int64_t mixing = streams * streams * (1 + streams) + streams * hidden + 2 * hidden;
    layers[i].extra_parameters += mixing + 2 * hidden * rank + hidden + 2 * hidden * narrow + hidden;
  }
  const std::int64_t vocabulary = fields.count({"vocab_size_per_layer_input"}, 262'144, 100'000'000);
  const auto count = static_cast<std::int64_t>(layers.size());
  reading.model.other_parameters +=
      count * narrow * (vocabulary + hidden) + narrow + 2 * std::max<std::int64_t>(streams - 1, 0) * hidden * hidden;
}

/// Weights that turn `ratio` tokens into one entry, and with a small ratio the index that picks entries.
std::int64_t compressor_parameters(HfReading& reading, const Mixer& mixer, std::int64_t ratio) {
  HfFields& fields = reading.fields;
  const std::int64_t hidden = reading.model.hidden;
  if (ratio == 0) return 0;
  // Heavily compressed entries come from separate windows, lightly compressed ones from overlapping ones.
  const std::int64_t overlap = ratio > 4 ? 1 : 2;
  const auto pool = [&](std::int64_t dim) { return overlap * dim * (2 * hidden + ratio) + dim; };
  if (ratio > 4) return pool(mixer.head_dim);
  const std::int64_t index_dim = fields.count({"index_head_dim"}, 128);
  const std::int64_t index_heads = fields.count({"index_n_heads"}, 64);
  return pool(mixer.head_dim) + pool(index_dim) + index_heads * (mixer.q_lora_rank * index_dim + hidden);
}

/// DeepSeek-V4: one key, which is the value, for all heads; outputs through groups; residual streams mixed by small
/// matrices.
void deepseek_v4(HfReading& reading, Layers& layers) {
  HfFields& fields = reading.fields;
  const std::int64_t streams = fields.count({"hc_mult"}, 4);
  const std::int64_t mixed = (2 + streams) * streams;
  const auto ratios = fields.counts("compress_ratios");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Mixer& mixer = layers[i].mixer;
    mixer.q_lora_rank = fields.count({"q_lora_rank"}, 1024);
    mixer.output_rank = fields.count({"o_lora_rank"}, 1024);
    mixer.output_groups = std::max<std::int64_t>(1, fields.count({"o_groups"}, 8));
    mixer.shared_kv = true;
    mixer.extra_parameters += mixer.head_dim + compressor_parameters(reading, mixer, i < ratios.size() ? ratios[i] : 0);
    layers[i].extra_parameters = 2 * (mixed * streams * reading.model.hidden + mixed + 3);
  }
  reading.model.other_parameters += streams * streams * reading.model.hidden + streams + 1;
}

/// Layers that attend to the tokens which an earlier layer's index picked have no index of their own.
void shared_index(HfReading& reading, Layers& layers) {
  const auto types = reading.fields.texts("indexer_types");
  for (std::size_t i = 0; i < std::min(types.size(), layers.size()); ++i) {
    if (types[i] == "shared") layers[i].mixer.index_heads = layers[i].mixer.index_dim = 0;
  }
}

struct Adjustment {
  std::string_view type;
  void (*apply)(HfReading&, Layers&);
};

constexpr auto kAdjustments = std::to_array<Adjustment>({
    {"falcon", falcon},
    {"RefinedWeb", falcon},
    {"RefinedWebModel", falcon},
    {"gpt_neox", neox},
    {"stablelm", stablelm},
    {"stablelm_epoch", stablelm},
    {"cohere", cohere},
    {"cohere2", cohere},
    {"persimmon", persimmon},
    {"fuyu", persimmon},
    {"opt", opt},
    {"mpt", mpt},
    {"qwen", halves},
    {"molmo", halves},
    {"hf_olmo", halves},
    {"chatglm", chatglm},
    {"llama4", llama4},
    {"llama4_text", llama4},
    {"mllama_text_model", mllama},
    {"bert", bert},
    {"roberta", bert},
    {"xlm-roberta", bert},
    {"albert", albert},
    {"falcon_h1", falcon_h1},
    {"granitemoehybrid", granite_hybrid},
    {"hunyuan", hunyuan},
    {"arctic", arctic},
    {"glm_moe_dsa", shared_index},
    {"deepseek_v4", deepseek_v4},
    {"deepseek_ref", deepseek_v4},
    {"gemma3n_text", gemma3n},
    {"gemma3n", gemma3n},
    {"gemma4_text", gemma4},
    {"gemma4", gemma4},
});

}  // namespace

void adjust_to_family(HfReading& reading, Layers& layers) {
  for (const Adjustment& adjustment : kAdjustments) {
    if (adjustment.type == reading.model.text_model_type) adjustment.apply(reading, layers);
  }
}

}  // namespace headrace::exchange
