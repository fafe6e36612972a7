// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "workload/layer_parts.h"

namespace headrace::workload {

Work embedding_work(const Architecture& model, const Batch& batch, const Sharding& sharding, base::Dtype compute,
                    Pass pass) {
  Work work;
  const Fusion fusion;
  const Context context = make_context(model, batch, sharding, fusion, compute, pass);
  const double values = context.tokens() * context.hidden();
  // Forward copies rows; backward adds into them.
  add_elementwise(work, context, OpName::kEmbedding, values, pass == Pass::kForward ? 2 : 3);
  if (sharding.tensor == 1) return work;
  const double bytes = values * context.width();
  const bool forward = pass == Pass::kForward;
  if (sharding.sequence_parallel) {
    add_transfer(work, forward ? Collective::kReduceScatter : Collective::kAllGather, Axis::kTensor, bytes);
  } else if (forward) {
    add_transfer(work, Collective::kAllReduce, Axis::kTensor, bytes);
  }
  return work;
}

namespace {

/// Fused: reads the logits once and writes their gradient in place. Else: an fp32 copy (3), log-softmax (4 in fp32),
/// its gradient (6) and back (3).
void add_loss(Work& work, const Context& context, double logits) {
  const bool fused = context.fusion.cross_entropy || context.fusion.compiled;
  const bool forward = context.pass == Pass::kForward;
  const double passes = fused ? (forward ? 1 : 2) : (forward ? 7 : 9);
  add_elementwise(work, context, OpName::kCrossEntropy, logits, passes, fused ? 1 : 3);
  // Vocabulary-parallel loss: the maximum, the sum of exponentials and the target's logit of each token are reduced.
  if (context.sharding.tensor > 1 && forward) {
    for (int i = 0; i < 3; ++i) add_transfer(work, Collective::kAllReduce, Axis::kTensor, context.tokens() * 4);
  }
}

}  // namespace

namespace {

/// Rows of the head on one rank. Tensor parallelism needs a divisible vocabulary and pads it to whole blocks of 128.
/// Source: Megatron-LM, --make-vocab-size-divisible-by.
double vocabulary_shard(double vocabulary, int tensor) {
  constexpr double kBlock = 128;
  return tensor == 1 ? vocabulary : std::ceil(vocabulary / (tensor * kBlock)) * kBlock;
}

}  // namespace

Work head_work(const Architecture& model, const Batch& batch, const Sharding& sharding, const Fusion& fusion,
               base::Dtype compute, Pass pass) {
  Work work;
  // The head stays in 16 bits when the layers compute in fewer.
  const base::Dtype wide = base::bits(compute) < 16 ? base::Dtype::kBf16 : compute;
  const Context context = make_context(model, batch, sharding, fusion, wide, pass);
  add_norm(work, context, model.final_norm, context.residual_tokens(), context.hidden());
  if (model.headless) return work;
  add_tensor_exchange(work, context, true, context.hidden());
  const double shard = vocabulary_shard(static_cast<double>(model.vocabulary), sharding.tensor);
  add_linear(work, context, OpName::kHead, context.tokens(), context.hidden(), shard);
  add_loss(work, context, context.tokens() * shard);
  return work;
}

}  // namespace headrace::workload
