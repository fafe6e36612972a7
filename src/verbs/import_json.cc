// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "verbs/import.h"

namespace headrace::verbs {
namespace {

using base::JsonWriter;
using workload::Architecture;
using workload::FeedForward;
using workload::LayerKind;
using workload::Mixer;
using workload::MixerKind;
using workload::NormKind;

std::int64_t whole(double value) { return std::llround(value); }

const char* mixer_name(MixerKind kind) {
  switch (kind) {
    case MixerKind::kNone: return "none";
    case MixerKind::kAttention: return "attention";
    case MixerKind::kLatent: return "latent_attention";
    case MixerKind::kMamba: return "mamba";
    case MixerKind::kMamba2: return "mamba2";
    case MixerKind::kLinear: return "linear_attention";
  }
  return "none";
}

const char* norm_name(NormKind kind) {
  switch (kind) {
    case NormKind::kRms: return "rms";
    case NormKind::kLayer: return "layer";
    case NormKind::kPlain: return "plain";
  }
  return "rms";
}

void write_state(JsonWriter& out, const Mixer& mixer) {
  out.member("state_dim", mixer.state_dim).member("inner_dim", mixer.inner_dim).member("conv_width", mixer.conv_width);
  out.member("groups", mixer.groups).member("dt_rank", mixer.dt_rank);
}

void write_mixer(JsonWriter& out, const Mixer& mixer) {
  out.key("mixer").begin_object().member("kind", mixer_name(mixer.kind));
  if (mixer.kind != MixerKind::kNone) {
    out.member("heads", mixer.heads).member("kv_heads", mixer.kv_heads);
    out.member("head_dim", mixer.head_dim)
        .member("value_dim", mixer.value_dim)
        .member("window", mixer.window)
        .member("causal", mixer.causal);
    out.member("qkv_bias", mixer.qkv_bias).member("output_bias", mixer.output_bias).member("qk_norm", mixer.qk_norm);
    out.member("output_gate", mixer.output_gate)
        .member("rotary", mixer.rotary)
        .member("extra_parameters", mixer.extra_parameters);
  }
  if (mixer.kind == MixerKind::kLatent) {
    out.member("q_lora_rank", mixer.q_lora_rank)
        .member("kv_lora_rank", mixer.kv_lora_rank)
        .member("rope_dim", mixer.rope_dim);
    out.member("index_heads", mixer.index_heads)
        .member("index_dim", mixer.index_dim)
        .member("index_top_k", mixer.index_top_k);
  }
  if (mixer.inner_dim > 0) write_state(out, mixer);
  out.end_object();
}

void write_feed_forward(JsonWriter& out, const FeedForward& mlp) {
  out.key("feed_forward").begin_object();
  out.member("hidden", mlp.hidden).member("gated", mlp.gated).member("bias", mlp.bias);
  out.member("experts", mlp.experts);
  if (mlp.experts > 0) {
    out.member("experts_per_token", mlp.experts_per_token).member("expert_hidden", mlp.expert_hidden);
    out.member("expert_width", mlp.expert_width)
        .member("zero_experts", mlp.zero_experts)
        .member("shared_hidden", mlp.shared_hidden);
    out.member("shared_gate", mlp.shared_gate).member("router_bias", mlp.router_bias);
  }
  out.end_object();
}

void write_kind(JsonWriter& out, const Architecture& model, std::size_t index) {
  const LayerKind& kind = model.kinds[index];
  const workload::LayerParameters counts = workload::layer_parameters(model, kind);
  out.begin_object();
  out.member("layers", static_cast<std::int64_t>(std::ranges::count(model.layers, static_cast<int>(index))));
  out.member("parameters", whole(counts.total())).member("active_parameters", whole(counts.active()));
  out.member("norm", norm_name(kind.norm)).member("norm_bias", kind.norm_bias).member("norms", kind.norms);
  out.member("parallel_residual", kind.parallel_residual).member("shares_weights", kind.shares_weights);
  write_mixer(out, kind.mixer);
  write_feed_forward(out, kind.feed_forward);
  out.end_object();
}

void write_texts(JsonWriter& out, const char* key, const std::vector<std::string>& texts) {
  out.key(key).begin_array();
  for (const std::string& text : texts) out.text(text);
  out.end_array();
}

void write_engine_view(JsonWriter& out, const workload::EngineView& view) {
  write_texts(out, "architectures", view.architectures);
  out.member("model_type", view.model_type).member("text_model_type", view.text_model_type);
  out.member("hidden_size", view.hidden_size).member("total_num_hidden_layers", view.layers);
  out.member("total_num_attention_heads", view.heads).member("head_size", view.head_size);
  out.member("vocab_size", view.vocabulary)
      .member("total_num_kv_heads", view.kv_heads)
      .member("num_experts", view.experts);
  out.member("is_deepseek_mla", view.latent).member("is_multimodal_model", view.multimodal).member("dtype", view.dtype);
}

void write_architecture(JsonWriter& out, const ModelImport& import) {
  const Architecture& model = import.architecture;
  out.key("architecture").begin_object();
  write_engine_view(out, import.engine);
  out.member("layers", static_cast<std::int64_t>(model.layers.size())).member("positions", model.positions);
  out.member("context_length", model.context_length).member("embedding_width", model.embedding_width);
  out.member("tied_embeddings", model.tied_embeddings)
      .member("headless", model.headless)
      .member("head_bias", model.head_bias);
  out.member("embedding_norm", model.embedding_norm).member("final_norm", norm_name(model.final_norm));
  out.member("mtp_layers", model.mtp_layers).member("stored_dtype", base::dtype_name(model.stored));
  out.member("quantization", model.quantization);
  out.key("layer_kinds").begin_array();
  for (std::size_t i = 0; i < model.kinds.size(); ++i) write_kind(out, model, i);
  out.end_array();
  out.key("layer_order").begin_array();
  for (const int layer : model.layers) out.integer(layer);
  out.end_array();
  out.end_object();
}

}  // namespace

std::string import_json(const ModelImport& model) {
  JsonWriter out;
  const workload::Parameters& counts = model.parameters;
  out.begin_object().member("headrace", 1).member("verb", "import").member("format", "hf-config");
  out.key("parameters").begin_object();
  out.member("total", whole(counts.total)).member("active", whole(counts.active));
  out.member("active_with_embedding", whole(counts.active_with_embedding)).member("embedding", whole(counts.embedding));
  out.member("head", whole(counts.head))
      .member("mtp", whole(counts.mtp))
      .member("towers", model.architecture.other_parameters);
  out.member("checkpoint_bytes", whole(model.checkpoint_bytes));
  out.end_object();
  write_architecture(out, model);
  write_texts(out, "warnings", model.architecture.guesses);
  out.end_object();
  return out.take();
}

}  // namespace headrace::verbs
