// SPDX-License-Identifier: Apache-2.0
#include "training/layer_works.h"

#include <algorithm>

#include "workload/operators.h"
#include "workload/parameters.h"

namespace headrace::training {

LayerWorks layer_works(const Job& job, const catalog::Software& software, const Shape& shape) {
  using workload::Pass;
  const workload::Batch batch{.sequences = shape.micro_batch, .length = job.sequence};
  const auto sharding = sharding_of(shape);
  const auto fusion = fusion_of(software);
  const auto dtype = job.numerics.compute;
  LayerWorks works;
  works.kinds.reserve(job.model.kinds.size());
  for (const auto& layer : job.model.kinds) {
    const auto count = workload::layer_parameters(job.model, layer);
    works.kinds.push_back({workload::layer_work(job.model, layer, batch, sharding, fusion, dtype, Pass::kForward),
                           workload::layer_work(job.model, layer, batch, sharding, fusion, dtype, Pass::kBackward),
                           count.tensor_sharded / shape.tensor + count.replicated,
                           count.experts / (shape.expert * shape.expert_tensor),
                           std::max(1.0, static_cast<double>(layer.feed_forward.experts_per_token)),
                           std::max(1.0, static_cast<double>(layer.feed_forward.experts))});
  }
  works.embedding_forward = workload::embedding_work(job.model, batch, sharding, dtype, Pass::kForward);
  works.embedding_backward = workload::embedding_work(job.model, batch, sharding, dtype, Pass::kBackward);
  works.head_forward = workload::head_work(job.model, batch, sharding, fusion, dtype, Pass::kForward);
  works.head_backward = workload::head_work(job.model, batch, sharding, fusion, dtype, Pass::kBackward);
  const auto counts = workload::parameters(job.model);
  works.embedding_parameters = counts.embedding / shape.tensor;
  works.head_parameters = (counts.head > 0 ? counts.head : counts.embedding) / shape.tensor;
  return works;
}

}  // namespace headrace::training
