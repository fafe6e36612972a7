// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workload/architecture.h"

namespace headrace::workload {

/// Parameter counts of one layer by how parallelism divides them.
struct LayerParameters {
  double tensor_sharded = 0;  ///< attention and dense or shared MLP matrices: divided by tensor parallel
  double replicated = 0;  ///< norms, routers, biases of row-parallel outputs, MLA down-projections: whole on each rank
  double experts = 0;     ///< all routed experts together: divided by expert and expert-tensor parallel
  double active_experts = 0;  ///< the share of `experts` that one token uses

  [[nodiscard]] double total() const { return tensor_sharded + replicated + experts; }
  [[nodiscard]] double active() const { return tensor_sharded + replicated + active_experts; }
};

struct Parameters {
  double total = 0;  ///< as published: tied matrices once, vision towers included, MTP blocks not
  /// Of a dense model all of the language model. Of a mixture of experts what one token is multiplied with: top-k and
  /// shared experts and attention; head and embedding look-up as the makers of the class count.
  double active = 0;
  double active_with_embedding = 0;
  double embedding = 0;  ///< token (and position) embedding
  double head = 0;       ///< 0 when tied
  double mtp = 0;        ///< all multi-token-prediction blocks, which the checkpoint holds besides
};

LayerParameters layer_parameters(const Architecture& model, const LayerKind& kind);
Parameters parameters(const Architecture& model);
/// Bytes of the checkpoint in its stored and quantised form, without file headers.
double checkpoint_bytes(const Architecture& model);

}  // namespace headrace::workload
