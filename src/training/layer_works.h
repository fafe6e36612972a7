// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "training/job.h"

namespace headrace::training {

/// The operators and transfers of one micro-batch in a layer of each kind, the embedding and the head, as a shape
/// divides them; no machine is asked but for what its software fuses.
struct LayerWorks {
  struct Kind {
    workload::Work forward, backward;
    double dense_parameters = 0;   ///< per rank, divided by tensor parallel where it divides
    double expert_parameters = 0;  ///< per rank, divided by expert and expert-tensor parallel
    double experts_per_token = 1;
    double experts = 1;  ///< over all ranks
  };
  std::vector<Kind> kinds;  ///< as Architecture::kinds
  workload::Work embedding_forward, embedding_backward, head_forward, head_backward;
  double embedding_parameters = 0, head_parameters = 0;  ///< per rank
};

LayerWorks layer_works(const Job& job, const catalog::Software& software, const Shape& shape);

}  // namespace headrace::training
