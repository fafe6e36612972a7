// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
  kLinear,  ///< linear attention, gated delta net, RWKV, lightning: keys of kv_heads × head_dim, values of heads ×
            ///< value_dim
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
  bool rotary = true;          ///< queries and keys are rotated by position (not with learned or linear-bias positions)
  bool qk_norm_whole = false;  ///< its weights span all heads, not one
  bool output_gate = false;    ///< a second projection, as wide as the output's input, gates it
  bool shared_kv = false;      ///< values are the keys: no value projection
  bool reused_kv = false;      ///< keys and values of an earlier layer: no key or value projection
  /// Outputs go through groups of heads of this rank before they meet (DeepSeek-V4); 0 = one matrix.
  std::int64_t output_rank = 0;
  std::int64_t output_groups = 0;
  // MLA; a query rank may stand without the rest
  std::int64_t q_lora_rank = 0;  ///< 0 = queries projected directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t rope_dim = 0;
  // Sparse attention's indexer (DeepSeek sparse attention): queries attend to index_top_k tokens; 0 = none
  std::int64_t index_heads = 0;
  std::int64_t index_dim = 0;
  std::int64_t index_top_k = 0;
  // State space and linear attention
  std::int64_t state_dim = 0;
  std::int64_t inner_dim = 0;
  std::int64_t conv_width = 0;
  bool conv_bias = false;
  std::int64_t groups = 0;
  std::int64_t dt_rank = 0;  ///< Mamba: width of the step-size projection
  /// Parameters that no field above explains (A, D, dt, sinks, decay, ...), per layer.
  std::int64_t extra_parameters = 0;

  friend bool operator==(const Mixer&, const Mixer&) = default;
};

struct FeedForward {
  std::int64_t hidden = 0;  ///< width of the dense MLP; 0 = none
  bool gated = true;        ///< three matrices (SwiGLU, GeGLU), else two
  bool bias = false;
  // Mixture of experts; the dense `hidden` above then runs beside it (0 = not).
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t expert_hidden = 0;
  std::int64_t expert_width =
      0;  ///< input and output width of the routed experts; 0 = hidden. Else two projections lead there and back
  std::int64_t zero_experts = 0;   ///< experts that compute nothing, yet have a router output
  std::int64_t shared_hidden = 0;  ///< total width of the shared experts
  bool shared_gate = false;
  bool router_bias = false;  ///< e_score_correction_bias or a biased router: `experts` parameters more

  friend bool operator==(const FeedForward&, const FeedForward&) = default;
};

enum class NormKind {
  kRms,
  kLayer,
  kPlain,  ///< without weights
};

/// Everything that makes one layer differ from another.
struct LayerKind {
  Mixer mixer;
  FeedForward feed_forward;
  NormKind norm = NormKind::kRms;
  bool norm_bias = false;
  int norms = 2;  ///< of width hidden
  bool parallel_residual = false;
  bool shares_weights = false;        ///< re-uses an earlier layer's weights (Zamba, ALBERT): counted once
  std::int64_t extra_parameters = 0;  ///< that no field explains, per layer (residual scales, per-layer inputs)

  friend bool operator==(const LayerKind&, const LayerKind&) = default;
};

/// Which matrices a quantised checkpoint compresses; embeddings, norms and routers it leaves.
struct QuantizedParts {
  bool attention = true;
  bool state_space = true;
  bool mlp = true;
  bool experts = true;
  bool shared_experts = true;
  bool mtp = true;
  bool head = false;
};

/// How a quantised checkpoint stores a matrix: codes, and a scale (and zero) for each block of outputs × inputs.
struct Quantization {
  double bits = 0;                 ///< per weight; 0 = the checkpoint is not quantised
  std::int64_t block_inputs = 0;   ///< 0 = all inputs
  std::int64_t block_outputs = 1;  ///< 0 = all outputs
  double scale_bytes = 0;          ///< per block
  double zero_bits = 0;            ///< per block
  double input_bytes = 0;          ///< per input (an order of columns)
  double matrix_bytes = 0;         ///< per matrix (a second scale, a shape)
  double expert_bits =
      0;  ///< of routed experts where they are narrower still, with a byte of scale per 32; 0 = as the rest
  QuantizedParts parts = {};
};

/// Which matrices beside the layers' the makers of a class count among the active parameters.
enum class ActiveCount {
  kWithHead,     ///< the head, not the embedding look-up
  kWithBoth,     ///< both
  kLayersAlone,  ///< neither
};

/// A decoder language model, as its config.json states it.
struct Architecture {
  std::string name;
  std::string model_type;
  std::string text_model_type;  ///< of the nested language model; model_type where nothing is nested
  std::vector<std::string> architectures;
  std::int64_t hidden = 0;
  std::int64_t vocabulary = 0;
  std::int64_t embedding_width =
      0;  ///< of the token embedding where it differs from hidden (projected there and back); 0 = hidden
  std::int64_t positions = 0;       ///< learned position embeddings; 0 = none
  std::int64_t context_length = 0;  ///< longest sequence stated; 0 = not
  bool tied_embeddings = false;
  bool headless = false;  ///< no LM head: an encoder, embedding or reward model
  bool head_bias = false;
  bool embedding_norm = false;  ///< of layer-norm kind, with a bias
  NormKind final_norm = NormKind::kRms;
  bool final_norm_bias = false;
  std::vector<LayerKind> kinds;  ///< distinct layers
  std::vector<int> layers;       ///< index into `kinds`, first layer first
  int mtp_layers = 0;            ///< multi-token-prediction blocks after the last layer, of the kind of the last
  bool mtp_embeddings = false;   ///< each of these stores its own copy of embedding and head
  std::int64_t other_parameters =
      0;  ///< vision towers and projectors whose shape the file states, counted but not timed
  ActiveCount active_count = ActiveCount::kWithHead;
  /// Bytes that the checkpoint's total counts beside its parameters (causal masks, rotary tables).
  double stored_buffers = 0;
  base::Dtype stored = base::Dtype::kBf16;
  std::string stated_dtype;  ///< torch_dtype as written; empty = not stated
  std::string quantization;  ///< as the checkpoint states it: fp8, gptq, awq, mxfp4, ...; empty = none
  Quantization quantized;
  Quantization also_quantized;  ///< the second format of a mixed checkpoint, of the parts that the first leaves
  bool multimodal = false;
  std::int64_t stated_layers = 0;    ///< the file's own layer count, which may name blocks of several layers
  std::int64_t stated_experts = 0;   ///< experts by the language model's own fields, as serving engines look for them
  std::vector<std::string> guesses;  ///< message ids of what was assumed where the file is silent
};

/// Whether any layer routes tokens to experts.
inline bool has_experts(const Architecture& model) {
  return std::any_of(model.kinds.begin(), model.kinds.end(),
                     [](const LayerKind& kind) { return kind.feed_forward.experts > 0; });
}

}  // namespace headrace::workload
