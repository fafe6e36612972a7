// SPDX-License-Identifier: Apache-2.0
#include "training/step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "training/data_parallel.h"
#include "workload/operators.h"

namespace headrace::training {

namespace {

using Part = LayerTimes::Part;

void add(Part& sum, const Part& part, double times) {
  sum.tensor_time += times * part.tensor_time;
  sum.memory_time += times * part.memory_time;
  sum.launch_time += times * part.launch_time;
  sum.tensor_comm += times * part.tensor_comm;
  sum.context_comm += times * part.context_comm;
  sum.expert_comm += times * part.expert_comm;
  sum.weight_time += times * part.weight_time;
  sum.scaleup_busy += times * part.scaleup_busy;
  sum.network_busy += times * part.network_busy;
}

}  // namespace

int layers_of(const StageLayers& stage) {
  return std::accumulate(stage.count_by_kind.begin(), stage.count_by_kind.end(), 0);
}

namespace {

/// Share of a stage's layers that run forward again in the backward pass.
double recomputed_share(const StageLayers& stage, const scenario::Strategy& strategy) {
  if (strategy.recompute_layers < 0) return 1;
  return std::min(
      1.0, strategy.recompute_layers * scenario::chunks_per_rank(strategy) / std::max(1.0, double(layers_of(stage))));
}

}  // namespace

StageTime stage_time(const LayerTimes& layers, const StageLayers& stage, const scenario::Strategy& strategy) {
  StageTime time;
  const double full = strategy.recompute == scenario::Recompute::kFull ? recomputed_share(stage, strategy) : 0;
  for (std::size_t kind = 0; kind < layers.kinds.size(); ++kind) {
    const double count = stage.count_by_kind[kind];
    if (count == 0) continue;
    const auto& layer = layers.kinds[kind];
    add(time.forward, layer.forward, count);
    add(time.backward, layer.backward, count);
    if (full > 0) time.recompute += full * count * layer.forward.total();
    if (strategy.recompute == scenario::Recompute::kSelective)
      time.recompute += count * layer.recompute_selective.total();
    time.dense_parameters += count * layer.dense_parameters;
    time.expert_parameters += count * layer.expert_parameters;
    time.layers += count;
  }
  if (stage.embedding) {
    add(time.forward, layers.embedding_forward, 1);
    add(time.backward, layers.embedding_backward, 1);
    time.dense_parameters += layers.embedding_parameters;
  }
  if (stage.head) {
    add(time.forward, layers.head_forward, 1 + stage.prediction_heads);
    add(time.backward, layers.head_backward, 1 + stage.prediction_heads);
    if (!(stage.embedding && layers.tied)) time.dense_parameters += layers.head_parameters;
  }
  return time;
}

namespace {

/// The slowest of N equal ranks, each a little different: mean + spread · √(2 ln N), the leading term of the largest of
/// N normal draws.
double straggler_share(double spread, int accelerators) {
  return spread * std::sqrt(2 * std::log(std::max(1.0, static_cast<double>(accelerators))));
}

}  // namespace

double straggler_stretch(const Machine& machine) {
  return 1 + straggler_share(machine.constants.straggler, machine.accelerators);
}

double model_flops(const Job& job, const scenario::Strategy& strategy, bool causal) {
  const double tokens = static_cast<double>(strategy.global_batch) * static_cast<double>(job.sequence);
  return tokens * workload::model_flops_per_token(job.model, static_cast<double>(job.sequence), causal);
}

}  // namespace headrace::training
