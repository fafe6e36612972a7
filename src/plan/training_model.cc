// SPDX-License-Identifier: Apache-2.0
#include "plan/training_model.h"

#include <algorithm>

#include "plan/divisors.h"
#include "training/data_parallel.h"
#include "training/legal.h"

namespace headrace::plan {
namespace {

/// Figures of floors are sums in another order than those of the models; this much covers the rounding.
constexpr double kRounding = 1 - 1e-9;

double micro_batches(const scenario::Strategy& s) {
  return double(s.global_batch) / (double(s.data) * double(s.micro_batch));
}

double layers_of(const training::StageLayers& stage) {
  double layers = 0;
  for (const int count : stage.count_by_kind) layers += count;
  return layers;
}

}  // namespace

TrainingModel::TrainingModel(const training::Job& job, const training::Machine& machine, const Space& space)
    : job_(job), machine_(machine) {
  const auto layers = std::int64_t(job.model.layers.size());
  for (const int pipeline : divisors(machine.accelerators)) {
    if (pipeline > layers) break;
    auto chunks = space.virtual_pipeline.empty() ? open_chunks(layers, pipeline) : space.virtual_pipeline;
    chunks.push_back(1);
    for (const int v : chunks) {
      if (v < 1 || std::int64_t(v) * pipeline > layers) continue;
      divisions_.try_emplace({pipeline, v}, training::divide_layers(job.model, pipeline, v));
    }
  }
}

TrainingModel::Costs TrainingModel::costs(const training::Shape& shape) const {
  return {training::layer_times(job_, machine_, shape), training::layer_memory(job_, machine_, shape)};
}

/// Time: a rank runs its layers for every micro-batch, so the slowest takes at least m times the mean stage.
Floor TrainingModel::floor(const Costs& costs, const Division& division, const scenario::Strategy& strategy) const {
  double slowest = 0;
  for (const int rank : division.distinct) {
    const auto stage = training::stage_time(costs.times, division.stages[std::size_t(rank)], strategy);
    slowest = std::max(slowest, stage.total());
  }
  return {micro_batches(strategy) * slowest * kRounding, 0};
}

Effects TrainingModel::effects(const Costs& costs, const Division& division) const {
  bool selective = false;
  for (std::size_t i = 0; i < costs.times.kinds.size(); ++i) {
    const auto& kept = costs.memory.kinds[i];
    selective =
        selective || costs.times.kinds[i].recompute_selective.total() > 0 || kept.saved_selective != kept.saved_none;
  }
  return {selective, layers_of(division.stages.front()) > 1};
}

bool TrainingModel::legal(const scenario::Strategy& strategy) const {
  return !training::illegal(job_, strategy, machine_.accelerators).has_value();
}

}  // namespace headrace::plan
