// SPDX-License-Identifier: Apache-2.0
#include "training/step.h"

#include <algorithm>
#include <cmath>

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

double layers_of(const StageLayers& stage) {
  double layers = 0;
  for (const int count : stage.count_by_kind) layers += count;
  return layers;
}

/// Share of a stage's layers that run forward again in the backward pass.
double recomputed_share(const StageLayers& stage, const scenario::Strategy& strategy) {
  if (strategy.recompute_layers < 0) return 1;
  return std::min(1.0, strategy.recompute_layers * strategy.virtual_pipeline / std::max(1.0, layers_of(stage)));
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

/// All distinct stages together: the sum and the slowest, per micro-batch.
struct Pipeline {
  StageTime first;
  Part work;             ///< forward and backward, mean over stages
  double recompute = 0;  ///< mean over stages
  double slowest = 0;    ///< forward + backward + recompute of the slowest stage
  double sum = 0;        ///< of the same over all stages
};

Pipeline combine(const LayerTimes& layers, const Layout& layout, const scenario::Strategy& strategy) {
  Pipeline all;
  for (std::size_t i = 0; i < layout.distinct.size(); ++i) {
    const auto time = stage_time(layers, layout.stages[static_cast<std::size_t>(layout.distinct[i])], strategy);
    const double share = static_cast<double>(layout.repeats[i]) / layout.pipeline;
    add(all.work, time.forward, share);
    add(all.work, time.backward, share);
    all.recompute += share * time.recompute;
    all.slowest = std::max(all.slowest, time.total());
    all.sum += layout.repeats[i] * time.total();
    if (layout.distinct[i] == 0) all.first = time;
  }
  return all;
}

/// Activations go forward and their gradients back across every chunk boundary; the schedule hides what is not
/// `pipeline.exposed`.
double boundary_time(const LayerTimes& layers, const Machine& machine, const scenario::Strategy& strategy) {
  if (strategy.pipeline == 1) return 0;
  const std::int64_t stride = std::int64_t{strategy.tensor} * strategy.context * strategy.data;
  const auto group = cost::make_group(2, stride, machine.fabric);
  const double one = cost::collective_time(workload::Collective::kSendReceive, base::Bytes(layers.boundary_bytes),
                                           group, machine.fabric)
                         .value();
  return 2 * strategy.virtual_pipeline * one * machine.constants.pipeline_exposed;
}

/// The slowest of N equal ranks, each a little different: mean + spread · √(2 ln N), the leading term of the largest of
/// N normal draws.
double straggler_share(double spread, int accelerators) {
  return spread * std::sqrt(2 * std::log(std::max(1.0, static_cast<double>(accelerators))));
}

/// The parts but for data parallel and optimizer: every stage works on each of m micro-batches, and the pipeline fills
/// and drains once through all other stages' one chunk of v. Source: Narayanan et al. 2021, section 2.2.
StepTime pipeline_parts(const Pipeline& all, double boundary, double micro_batches, const Machine& machine,
                        const scenario::Strategy& strategy) {
  StepTime step;
  step.tensor = micro_batches * all.work.tensor_time;
  step.memory_bound = micro_batches * all.work.memory_time;
  step.launch = micro_batches * all.work.launch_time;
  step.tensor_comm = micro_batches * all.work.tensor_comm;
  step.context_comm = micro_batches * all.work.context_comm;
  step.expert_comm = micro_batches * all.work.expert_comm;
  step.recompute = micro_batches * all.recompute;
  const double fill = (strategy.pipeline - 1.0) / strategy.virtual_pipeline;
  step.pipeline_comm = (micro_batches + fill) * boundary;
  step.imbalance = micro_batches * (all.slowest - all.sum / strategy.pipeline);
  step.bubble = (all.sum - all.slowest) / strategy.virtual_pipeline;
  step.other = machine.constants.host_step + (micro_batches + fill) * machine.constants.host_micro_batch;
  return step;
}

/// Behind a pipeline the first stage keeps the pace of the slowest and communicates while it waits: of one micro-batch,
/// forward takes a third, or a quarter where all of it runs again.
Passes passes_of(const Pipeline& all, const scenario::Strategy& strategy) {
  const auto& first = all.first;
  if (strategy.pipeline == 1) return {first.forward.total(), first.backward.total() + first.recompute, first.layers};
  const double forward = all.slowest / (strategy.recompute == scenario::Recompute::kFull ? 4 : 3);
  return {forward, all.slowest - forward, first.layers};
}

double sum_of(const StepTime& step) {
  return step.tensor + step.memory_bound + step.launch + step.tensor_comm + step.context_comm + step.expert_comm +
         step.recompute + step.pipeline_comm + step.imbalance + step.bubble + step.other;
}

}  // namespace

double straggler_stretch(const Machine& machine) {
  return 1 + straggler_share(machine.constants.straggler, machine.accelerators);
}

StepWork step_work(const LayerTimes& layers, const Layout& layout, const Machine& machine,
                   const scenario::Strategy& strategy) {
  StepWork work;
  const auto all = combine(layers, layout, strategy);
  work.micro_batches =
      static_cast<double>(strategy.global_batch) / (static_cast<double>(strategy.data) * strategy.micro_batch);
  work.parts = pipeline_parts(all, boundary_time(layers, machine, strategy), work.micro_batches, machine, strategy);
  work.sum = sum_of(work.parts);
  work.stretch = straggler_stretch(machine);
  work.passes = passes_of(all, strategy);
  return work;
}

/// time = m·slowest + (sum − slowest)/v + exposed data-parallel communication + optimizer, stretched by the slowest
/// rank.
StepTime step_time(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                   const scenario::Strategy& strategy) {
  const auto work = step_work(layers, layout, machine, strategy);
  const auto load = data_parallel_load(layers, layout, job, machine, strategy);
  StepTime step = work.parts;
  step.data_comm = exposed_time(work.passes, work.micro_batches, load, machine, strategy);
  step.optimizer = load.optimizer;
  step.time = step_seconds(work, load, machine, strategy);
  step.straggler = step.time - (work.sum + step.data_comm + step.optimizer);
  return step;
}

double model_flops(const Job& job, const scenario::Strategy& strategy, bool causal) {
  const double tokens = static_cast<double>(strategy.global_batch) * static_cast<double>(job.sequence);
  return tokens * workload::model_flops_per_token(job.model, static_cast<double>(job.sequence), causal);
}

}  // namespace headrace::training
