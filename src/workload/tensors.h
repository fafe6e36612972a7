// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workload/architecture.h"

namespace headrace::workload {

/// Where in the model a weight sits; quantised checkpoints treat these differently.
enum class Part {
  kAttention,
  kStateSpace,
  kMlp,
  kRouter,
  kExpert,
  kSharedExpert,
  kNorm,
  kEmbedding,
  kHead,
  kMtp,
  kOther
};

/// How parallelism divides a weight.
enum class Division { kTensor, kReplicated, kExpert };

/// `count` weights of one shape.
struct Tensor {
  Part part = Part::kOther;
  Division division = Division::kReplicated;
  double outputs = 0;
  double inputs = 1;
  double count = 1;
  bool linear = false;  ///< the matrix of a linear layer, which quantisation may compress

  [[nodiscard]] double parameters() const { return outputs * inputs * count; }
};

using Tensors = std::vector<Tensor>;

/// All weights of one layer; of a layer that shares another's weights, only its own.
Tensors layer_tensors(const Architecture& model, const LayerKind& kind);
/// Token and position embeddings with their projections and norm.
Tensors embedding_tensors(const Architecture& model);
/// Final norm and LM head; without the matrix when it is tied.
Tensors head_tensors(const Architecture& model);
/// One multi-token-prediction block.
Tensors mtp_tensors(const Architecture& model);

double total_parameters(const Tensors& tensors);

}  // namespace headrace::workload
