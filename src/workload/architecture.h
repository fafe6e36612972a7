// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/dtype.h"

namespace headrace::workload {

/// How a layer mixes tokens.
enum class MixerKind {
  kNone,
  kAttention,  ///< multi-head, grouped-query, multi-query
  kLatent,     ///< multi-head latent attention (MLA)
  kMamba,      ///< selective state space, first kind
  kMamba2,
  kLinear,     ///< linear attention, gated delta net, RWKV, lightning
};

struct Mixer {
  MixerKind kind = MixerKind::kAttention;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;   ///< query and key; for MLA nope + rope
  std::int64_t value_dim = 0;  ///< per head
  std::int64_t window = 0;     ///< sliding window in tokens; 0 = whole context
  bool causal = true;
  bool qkv_bias = false;
  bool output_bias = false;
  bool qk_norm = false;
  bool output_gate = false;    ///< a second projection gates the output
  // MLA
  std::int64_t q_lora_rank = 0;  ///< 0 = queries projected directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t rope_dim = 0;
  // State space and linear attention
  std::int64_t state_dim = 0;
  std::int64_t inner_dim = 0;
  std::int64_t conv_width = 0;
  std::int64_t groups = 0;
  /// Parameters that no field above explains (A, D, dt, sinks, decay, ...), per layer.
  std::int64_t extra_parameters = 0;
};

struct FeedForward {
  std::int64_t hidden = 0;  ///< width of the dense MLP; 0 = none
  bool gated = true;        ///< three matrices (SwiGLU, GeGLU), else two
  bool bias = false;
  // Mixture of experts; the dense `hidden` above then runs beside it (0 = not).
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t expert_hidden = 0;
  std::int64_t shared_hidden = 0;  ///< total width of the shared experts
  bool shared_gate = false;
  bool router_bias = false;        ///< e_score_correction_bias or a biased router: `experts` parameters more
};

enum class NormKind { kRms, kLayer };

/// Everything that makes one layer differ from another.
struct LayerKind {
  Mixer mixer;
  FeedForward feed_forward;
  NormKind norm = NormKind::kRms;
  bool norm_bias = false;
  int norms = 2;                 ///< of width hidden
  bool parallel_residual = false;
  bool shares_weights = false;   ///< re-uses an earlier layer's weights (Zamba): counted once
};

/// A decoder language model, as its config.json states it.
struct Architecture {
  std::string name;
  std::string model_type;
  std::vector<std::string> architectures;
  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  std::int64_t positions = 0;          ///< learned position embeddings; 0 = none
  std::int64_t context_length = 0;     ///< longest sequence stated; 0 = not
  bool tied_embeddings = false;
  bool head_bias = false;
  bool embedding_norm = false;
  NormKind final_norm = NormKind::kRms;
  bool final_norm_bias = false;
  std::vector<LayerKind> kinds;        ///< distinct layers
  std::vector<int> layers;             ///< index into `kinds`, first layer first
  int mtp_layers = 0;                  ///< multi-token-prediction blocks after the last layer, of the kind of the last
  std::int64_t other_parameters = 0;   ///< vision towers and projectors whose shape the file states, counted but not timed
  base::Dtype stored = base::Dtype::kBf16;
  std::string quantization;            ///< as the checkpoint states it: fp8, gptq, awq, mxfp4, ...; empty = none
  std::vector<std::string> guesses;    ///< message ids of what was assumed where the file is silent
};

}  // namespace headrace::workload
