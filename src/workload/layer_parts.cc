// SPDX-License-Identifier: Apache-2.0
#include "workload/layer_parts.h"

#include <algorithm>

namespace headrace::workload {

double Context::tokens() const {
  return static_cast<double>(batch.sequences) * static_cast<double>(batch.length) / sharding.context;
}

double Context::residual_tokens() const { return sharding.sequence_parallel ? tokens() / sharding.tensor : tokens(); }

Context make_context(const Architecture& model, const Batch& batch, const Sharding& sharding, const Fusion& fusion,
                     base::Dtype compute, Pass pass) {
  const base::Dtype activation = base::bits(compute) < 16 ? base::Dtype::kBf16 : compute;
  return {model, batch, sharding, fusion, compute, activation, pass};
}

namespace {

Operator matrix_product(const Context& context, OpName name, double m, double n, double k, double groups) {
  Operator op;
  op.kind = groups == 1 ? OpKind::kGemm : OpKind::kGroupedGemm;
  op.name = name;
  op.dtype = context.compute;
  op.m = m;
  op.n = n;
  op.k = k;
  op.groups = groups;
  op.flops = 2 * m * n * k * groups;
  op.bytes = groups * ((m * k + k * n) * base::bytes_of(context.compute) + m * n * context.width());
  return op;
}

/// Reads activations, writes them in the narrow format twice: as they are and transposed, for the products of forward
/// and backward read along different axes.
void add_quantize(Work& work, const Context& context, double elements) {
  if (base::bits(context.compute) >= 16) return;
  Operator op;
  op.name = OpName::kQuantize;
  op.dtype = context.activation;
  op.bytes = elements * (context.width() + 2 * base::bytes_of(context.compute));
  op.flops = 2 * elements;
  work.operators.push_back(op);
}

void add_products(Work& work, const Context& context, OpName name, double groups, double tokens, double inputs,
                  double outputs) {
  if (context.pass == Pass::kForward) {
    add_quantize(work, context, groups * tokens * inputs);
    work.operators.push_back(matrix_product(context, name, tokens, outputs, inputs, groups));
    return;
  }
  add_quantize(work, context, groups * tokens * outputs);
  work.operators.push_back(matrix_product(context, name, tokens, inputs, outputs, groups));
  work.operators.push_back(matrix_product(context, name, outputs, inputs, tokens, groups));
}

}  // namespace

void add_linear(Work& work, const Context& context, OpName name, double tokens, double inputs, double outputs) {
  if (tokens * inputs * outputs > 0) add_products(work, context, name, 1, tokens, inputs, outputs);
}

void add_grouped(Work& work, const Context& context, OpName name, double groups, double tokens, double inputs,
                 double outputs) {
  if (groups * tokens * inputs * outputs > 0) add_products(work, context, name, groups, tokens, inputs, outputs);
}

void add_elementwise(Work& work, const Context& context, OpName name, double elements, double passes, int launches) {
  if (elements <= 0) return;
  Operator op;
  op.name = name;
  op.dtype = context.activation;
  op.bytes = elements * passes * context.width();
  op.flops = elements * passes;
  op.launches = launches;
  work.operators.push_back(op);
}

void add_transfer(Work& work, Collective collective, Axis axis, double bytes) {
  if (bytes > 0) work.transfers.push_back({collective, axis, bytes, false});
}

/// Source: Reducing Activation Recomputation in Large Transformer Models (arXiv 2205.05198), section 4.2.2. The
/// gathered input is not kept but gathered again for the weight gradient.
void add_tensor_exchange(Work& work, const Context& context, bool entering, double width) {
  if (context.sharding.tensor == 1) return;
  const double bytes = context.tokens() * width * context.width();
  const bool forward = context.pass == Pass::kForward;
  // Backward, the block's input is gathered beside the product of its gradient, which then travels beside the weights'.
  const bool beside = entering && !forward;
  if (!context.sharding.sequence_parallel) {
    if (entering != forward) work.transfers.push_back({Collective::kAllReduce, Axis::kTensor, bytes, beside});
    return;
  }
  if (beside) work.transfers.push_back({Collective::kAllGather, Axis::kTensor, bytes, beside});
  const auto collective = entering == forward ? Collective::kAllGather : Collective::kReduceScatter;
  work.transfers.push_back({collective, Axis::kTensor, bytes, beside});
}

// Passes through memory, in 16-bit values per element: what a fused kernel must read and write, and what a chain of
// eager kernels does. Eager RMS norm: to fp32 (3), square (4), mean (2), scale (4), back (3), times weight (2); layer
// norm has a fused kernel everywhere.
void add_norm(Work& work, const Context& context, NormKind kind, double tokens, double width) {
  const bool fused = context.fusion.norms || context.fusion.compiled || kind != NormKind::kRms;
  const bool forward = context.pass == Pass::kForward;
  const double passes = forward ? (fused ? 2 : 18) : (fused ? 3 : 28);
  add_elementwise(work, context, OpName::kNorm, tokens * width, passes, fused ? (forward ? 1 : 2) : (forward ? 6 : 10));
}

void add_residual(Work& work, const Context& context) {
  const bool fused = context.fusion.dropout_residual || context.fusion.compiled;
  add_elementwise(work, context, OpName::kResidual, context.residual_tokens() * context.hidden(), fused ? 3 : 5,
                  fused ? 1 : 2);
}

void add_activation(Work& work, const Context& context, double tokens, double hidden, const FeedForward& mlp) {
  const bool fused = context.fusion.activation || context.fusion.compiled;
  const bool forward = context.pass == Pass::kForward;
  double passes = 0;
  if (mlp.gated) {
    passes = forward ? (fused ? 3 : 5) : (fused ? 5 : 8);
  } else {
    passes = (forward ? 2 : 3) + (fused || !mlp.bias ? 0 : 2);
  }
  add_elementwise(work, context, OpName::kActivation, tokens * hidden, passes, fused ? 1 : 2);
}

double attended_pairs(double length, bool causal, double window) {
  if (!causal) return window > 0 ? length * std::min(length, window) : length * length;
  const double reach = window > 0 ? std::min(length, window) : length;
  return length * reach - reach * (reach - 1) / 2;
}

}  // namespace headrace::workload
