// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workload/operators.h"

namespace headrace::workload {

/// What every part of a layer needs to know to say its work on one rank.
struct Context {
  const Architecture& model;
  const Batch& batch;
  const Sharding& sharding;
  const Fusion& fusion;
  base::Dtype compute;     ///< of matrix products
  base::Dtype activation;  ///< of what flows between them: compute, but never under 16 bits
  Pass pass;

  [[nodiscard]] double hidden() const { return static_cast<double>(model.hidden); }
  /// Tokens of this rank, whole hidden width.
  [[nodiscard]] double tokens() const;
  /// Tokens that norms and residuals see.
  [[nodiscard]] double residual_tokens() const;
  /// Bytes of one activation.
  [[nodiscard]] double width() const { return base::bytes_of(activation); }
};

Context make_context(const Architecture& model, const Batch& batch, const Sharding& sharding, const Fusion& fusion,
                     base::Dtype compute, Pass pass);

/// The products of a linear layer from `inputs` to `outputs` on `tokens` rows: one forward; two (data and weight
/// gradients) backward. Formats under 16 bits add the quantisation of what enters each product.
void add_linear(Work& work, const Context& context, OpName name, double tokens, double inputs, double outputs);
/// The same for `groups` experts of `tokens` rows each, and 1, 2 or 3 matrices' worth of outputs.
void add_grouped(Work& work, const Context& context, OpName name, double groups, double tokens, double inputs,
                 double outputs);
/// Element-wise work that moves `elements` activations through memory `passes` times in `launches` kernels.
void add_elementwise(Work& work, const Context& context, OpName name, double elements, double passes, int launches = 1);
void add_transfer(Work& work, Collective collective, Axis axis, double bytes);
/// Before a tensor-parallel block (`entering`) or after it: all-gather and reduce-scatter with sequence parallel,
/// all-reduce without; `width` is the number of values per token that are gathered or reduced.
void add_tensor_exchange(Work& work, const Context& context, bool entering, double width);

void add_norm(Work& work, const Context& context, NormKind kind, double tokens, double width);
void add_residual(Work& work, const Context& context);
void add_activation(Work& work, const Context& context, double tokens, double hidden, const FeedForward& mlp);

void add_attention_work(Work& work, const Context& context, const Mixer& mixer);
void add_latent_work(Work& work, const Context& context, const Mixer& mixer);
void add_state_space_work(Work& work, const Context& context, const Mixer& mixer);
void add_dense_work(Work& work, const Context& context, const FeedForward& mlp, double hidden, OpName up, OpName down);
void add_expert_work(Work& work, const Context& context, const FeedForward& mlp);

/// Query-key pairs of one sequence that attention looks at: all, the causal half, or a window of it.
double attended_pairs(double length, bool causal, double window);

}  // namespace headrace::workload
