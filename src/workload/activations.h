// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workload/architecture.h"
#include "workload/operators.h"

namespace headrace::workload {

/// What selective recompute drops.
enum class Selective {
  kCoreAttention,      ///< scores and probabilities only; nothing with a fused attention kernel
  kAlternateMatrices,  ///< keeps every second matrix product's output and the attention's, recomputes the rest
};

/// Which matrices of a layer are trained, and so need their inputs in the backward pass.
enum class Trained {
  kAll,
  kQueryValueAdapters,  ///< low-rank adapters beside the query and value projections; the rest is frozen
  kLinearAdapters,      ///< low-rank adapters beside every matrix
};

/// How the software keeps a layer's tensors for the backward pass.
struct Retention {
  Fusion fusion;
  Selective selective = Selective::kCoreAttention;
  Trained trained = Trained::kAll;
  double element = 2;              ///< bytes of an activation
  double linear_element = 2;       ///< bytes of a matrix product's kept input: 1 where the fp8 copy is kept instead
  bool norms_in_fp32 = false;      ///< unfused RMS norms keep an fp32 copy of their input
  bool repeats_keys = false;       ///< keys and values of grouped queries are repeated for every query head
  bool shared_projection = false;  ///< queries, keys, values are views of one tensor, which lives as long as the values
  bool adapter_dropout = false;    ///< adapters see a dropped-out copy of their input, and keep its mask
  bool frozen_keeps_inputs = false;  ///< quantised matrices keep their inputs though they are not trained
  bool exchanges_heads =
      false;  ///< context parallel by all-to-all over heads: the attention's output is kept in both layouts
  bool weights_expert_output = false;  ///< router probabilities multiply the experts' outputs, which are kept for it
};

/// Bytes of one layer on one rank for one micro-batch.
struct LayerActivations {
  double none = 0;  ///< kept for backward without recompute
  double selective = 0;
  double full = 0;      ///< the layer's input
  double working = 0;   ///< gradients and temporaries alive at once while the layer runs backward, beside what is kept
  double exchange = 0;  ///< all-to-all and gather buffers of expert, context and sequence parallelism
};

/// Operator by operator; the terms stand in the source beside the operators that keep them. After Korthikanti et al.,
/// "Reducing Activation Recomputation in Large Transformer Models" (2022), section 4, with fused attention, grouped
/// queries, gated and expert MLPs, latent attention.
LayerActivations layer_activations(const Architecture& model, const LayerKind& kind, const Batch& batch,
                                   const Sharding& sharding, const Retention& retention);

/// Tokens of one micro-batch on one rank.
double rank_tokens(const Batch& batch, const Sharding& sharding);

/// Parameters of the low-rank adapters of one layer, whole (before tensor parallelism).
double adapter_parameters(const Architecture& model, const LayerKind& kind, Trained trained, double rank);

}  // namespace headrace::workload
