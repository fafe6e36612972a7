// SPDX-License-Identifier: Apache-2.0
#include "workload/engine_view.h"

namespace headrace::workload {
namespace {

const Mixer* first_attention(const Architecture& model) {
  for (const LayerKind& kind : model.kinds) {
    if (kind.mixer.kind == MixerKind::kAttention || kind.mixer.kind == MixerKind::kLatent) return &kind.mixer;
  }
  return nullptr;
}

std::string torch_name(const std::string& stated) {
  if (stated.empty()) return "torch.float32";
  return stated.starts_with("torch.") ? stated : "torch." + stated;
}

}  // namespace

EngineView engine_view(const Architecture& model) {
  EngineView view;
  view.architectures = model.architectures;
  view.model_type = model.model_type;
  view.text_model_type = model.text_model_type;
  view.hidden_size = model.hidden;
  view.layers = model.stated_layers;
  view.vocabulary = model.vocabulary;
  view.experts = model.stated_experts;
  view.multimodal = model.multimodal;
  view.dtype = torch_name(model.stated_dtype);
  if (const Mixer* mixer = first_attention(model)) {
    view.latent = mixer->kind == MixerKind::kLatent;
    view.heads = mixer->heads;
    view.kv_heads = mixer->kv_heads;
    view.head_size = view.latent ? mixer->kv_lora_rank + mixer->rope_dim : mixer->head_dim;
  }
  return view;
}

}  // namespace headrace::workload
