// SPDX-License-Identifier: Apache-2.0
#include "plan/training_model.h"

#include <algorithm>
#include <limits>

#include "plan/divisors.h"
#include "training/legal.h"

namespace headrace::plan {
namespace {

using scenario::Schedule;

/// Figures of floors are sums in another order than those of the models; this much covers the rounding.
constexpr double kRounding = 1 - 1e-9;

double micro_batches(const scenario::Strategy& s) {
  return double(s.global_batch) / (double(s.data) * double(s.micro_batch));
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
      add_division(pipeline, v, Schedule::k1f1b);
    }
    if (2 * pipeline <= layers) add_division(pipeline, 2, Schedule::kZbv);
    if (pipeline % 2 == 0) add_division(pipeline, 1, Schedule::kDualPipe);
  }
}

void TrainingModel::add_division(int pipeline, int chunks, scenario::Schedule schedule) {
  divisions_.try_emplace({pipeline, chunks, schedule}, training::divide_layers(job_.model, pipeline, chunks, schedule));
}

TrainingModel::Costs TrainingModel::costs(const training::Shape& shape) const {
  return {training::layer_times(job_, machine_, shape), training::layer_memory(job_, machine_, shape)};
}

void TrainingModel::work(const Costs& costs, const Division& division, const scenario::Strategy& strategy,
                         Work& work) const {
  training::step_work(costs.times, division, machine_, strategy, work.step);
  work.device = training::device_bytes(costs.memory, strategy);
  work.ranks.clear();
  for (const int rank : division.distinct) {
    const auto& held = division.stages[std::size_t(rank)];
    work.ranks.push_back(training::rank_activity(costs.memory, held, rank, strategy).most());
  }
}

void TrainingModel::states(const Costs& costs, const Division& division, const scenario::Strategy& strategy,
                           States& states) const {
  states.load = training::step_load(costs.times, division, job_, machine_, strategy);
  states.ranks.clear();
  for (const int rank : division.distinct) {
    states.ranks.push_back(training::rank_states(costs.memory, division.stages[std::size_t(rank)], job_, strategy));
  }
}

void TrainingModel::least(const std::vector<States>& all, Least& least) const {
  least.update = all.front().load.update;
  least.ranks.assign(all.front().ranks.size(), std::numeric_limits<double>::infinity());
  for (const States& states : all) {
    least.update = std::min(least.update, states.load.update);
    for (std::size_t i = 0; i < least.ranks.size(); ++i) {
      const auto& rank = states.ranks[i];
      least.ranks[i] = std::min(least.ranks[i], rank.lasting() + rank.early_gradients + rank.gathered);
    }
  }
}

/// Data-parallel traffic costs no less than nothing.
Floor TrainingModel::floor(const Work& work, const Least& least) const {
  double fullest = 0;
  for (std::size_t i = 0; i < work.ranks.size(); ++i) fullest = std::max(fullest, least.ranks[i] + work.ranks[i]);
  return {(work.step.least() + least.update) * work.step.stretch * kRounding,
          (fullest * work.device.times + work.device.more) * kRounding};
}

/// Time: every rank runs its layers at least once forward and backward for every micro-batch. Memory: a layer keeps no
/// less than in its smallest form.
Floor TrainingModel::floor(const Costs& costs, const Division& division, const Frame& frame) const {
  double slowest = 0, fullest = 0;
  for (const int rank : division.distinct) {
    const auto& held = division.stages[std::size_t(rank)];
    const auto time = training::stage_time(costs.times, held, frame);
    const double hidden = division.copies > 1 ? time.forward.expert_comm + time.backward.expert_comm : 0;
    slowest = std::max(slowest, (time.total() - hidden) / division.copies);
    double kept = std::numeric_limits<double>::infinity();
    for (const auto recompute :
         {scenario::Recompute::kNone, scenario::Recompute::kSelective, scenario::Recompute::kFull}) {
      Frame strategy = frame;
      strategy.recompute = recompute;
      kept = std::min(kept, training::rank_activity(costs.memory, held, rank, strategy).saved);
    }
    fullest = std::max(fullest, kept);
  }
  return {micro_batches(frame) * slowest * kRounding, fullest * kRounding};
}

Effects TrainingModel::effects(const Costs& costs, const Division& division) const {
  bool selective = false;
  for (std::size_t i = 0; i < costs.times.kinds.size(); ++i) {
    const auto& kept = costs.memory.kinds[i];
    selective =
        selective || costs.times.kinds[i].recompute_selective.total() > 0 || kept.saved_selective != kept.saved_none;
  }
  return {selective, training::layers_of(division.stages.front()) > 1};
}

bool TrainingModel::legal(const scenario::Strategy& strategy) const {
  return !training::illegal(job_, strategy, machine_.accelerators) &&
         !training::unsupported(machine_.software, job_, strategy);
}

}  // namespace headrace::plan
