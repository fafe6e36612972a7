// SPDX-License-Identifier: Apache-2.0
#include "workload/parameters.h"

#include "workload/tensors.h"

namespace headrace::workload {

LayerParameters layer_parameters(const Architecture& model, const LayerKind& kind) {
  LayerParameters sum;
  for (const Tensor& tensor : layer_tensors(model, kind)) {
    switch (tensor.division) {
      case Division::kTensor: sum.tensor_sharded += tensor.parameters(); break;
      case Division::kReplicated: sum.replicated += tensor.parameters(); break;
      case Division::kExpert: sum.experts += tensor.parameters(); break;
    }
  }
  const FeedForward& mlp = kind.feed_forward;
  if (mlp.experts > 0)
    sum.active_experts = sum.experts * static_cast<double>(mlp.experts_per_token) / static_cast<double>(mlp.experts);
  return sum;
}

namespace {

/// What a token uses of a layer that shares its weights is the weights themselves, though they are counted once in the
/// total.
LayerParameters used_parameters(const Architecture& model, LayerKind kind) {
  kind.shares_weights = false;
  return layer_parameters(model, kind);
}

/// What the makers of a mixture of experts leave out of its active count.
double left_out(const Architecture& model, const Parameters& sum) {
  if (model.active_count == ActiveCount::kWithBoth) return 0;
  if (model.active_count == ActiveCount::kLayersAlone) return sum.embedding + sum.head;
  return model.tied_embeddings ? 0 : sum.embedding;
}

}  // namespace

Parameters parameters(const Architecture& model) {
  Parameters sum;
  std::vector<double> total;
  std::vector<double> active;
  for (const LayerKind& kind : model.kinds) {
    total.push_back(layer_parameters(model, kind).total());
    active.push_back(used_parameters(model, kind).active());
  }
  for (const int layer : model.layers) {
    sum.total += total[static_cast<std::size_t>(layer)];
    sum.active += active[static_cast<std::size_t>(layer)];
  }
  const Tensors head = head_tensors(model);
  sum.embedding = total_parameters(embedding_tensors(model));
  for (const Tensor& tensor : head) {
    if (tensor.part == Part::kHead) sum.head += tensor.parameters();
  }
  const double outer = sum.embedding + total_parameters(head);
  sum.total += outer + static_cast<double>(model.other_parameters);
  sum.active += outer;
  sum.active_with_embedding = sum.active;
  if (has_experts(model)) sum.active -= left_out(model, sum);
  sum.mtp = model.mtp_layers * total_parameters(mtp_tensors(model));
  return sum;
}

}  // namespace headrace::workload
