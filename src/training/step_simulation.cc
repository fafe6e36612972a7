// SPDX-License-Identifier: Apache-2.0
#include "training/step_simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "training/step_turns.h"

namespace headrace::training {

namespace {

/// Micro-batches of a rank; the last may be a part of one.
double micro_batches_of(const scenario::Strategy& strategy) {
  return double(strategy.global_batch) / (double(strategy.data) * strategy.micro_batch);
}

Program program_for(const scenario::Strategy& strategy, double micro_batches) {
  return program_of(strategy.schedule, strategy.pipeline, strategy.virtual_pipeline, std::max(1, int(micro_batches)));
}

/// Of a graph with a circle, which no legal schedule has (schedule_test.cc).
constexpr double kNever = std::numeric_limits<double>::infinity();

using Solve = base::Result<void> (*)(const timeline::Graph&, timeline::Times&);

double makespan(const Program& program, const StepCosts& costs, Solve solve = timeline::simulate) {
  timeline::Graph graph(1, kStepStreams);
  timeline::Times times;
  lay_step(program, costs, graph);
  return solve(graph, times) ? times.makespan : kNever;
}

StepCosts without_data_parallel(StepCosts costs) {
  for (auto& stage : costs.stages) stage.load = {};
  costs.host_step = costs.norm = 0;
  return costs;
}

/// Seconds that each rank spends in its turns.
std::vector<double> busy_times(const Program& program, const StepCosts& costs) {
  std::vector<double> busy;
  std::vector<Turn> turns;
  for (int rank = 0; rank < program.ranks; ++rank) {
    list_turns(program, costs, rank, turns);
    busy.push_back(
        std::accumulate(turns.begin(), turns.end(), 0.0, [](double sum, const Turn& t) { return sum + t.seconds; }));
  }
  return busy;
}

/// What `micro_batches` of every stage take, as a mean over `ranks`.
StepTime mean_work(const StepCosts& costs, double micro_batches, int ranks) {
  StepTime step;
  const double times = micro_batches / ranks;
  for (const auto& stage : costs.stages) {
    for (const auto& part : {stage.work.forward, stage.work.backward}) {
      step.tensor += times * part.tensor_time;
      step.memory_bound += times * part.memory_time;
      step.launch += times * part.launch_time;
      step.tensor_comm += times * part.tensor_comm;
      step.context_comm += times * part.context_comm;
      step.expert_comm += times * part.expert_comm;
    }
    step.recompute += times * stage.work.recompute;
    step.memory_bound += times * (stage.backward - stage.work.backward.total() - stage.work.recompute);
    step.other += times * (stage.forward - stage.work.forward.total());
  }
  return step;
}

double slowest_update(const Program& program, const StepCosts& costs) {
  double slowest = 0;
  for (int rank = 0; rank < program.ranks; ++rank) {
    double update = 0;
    for (int chunk = 0; chunk < program.chunks; ++chunk)
      update += costs.stages[std::size_t(program.stage(rank, chunk))].load.optimizer;
    slowest = std::max(slowest, update);
  }
  return slowest;
}

}  // namespace

StepRun run_step(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                 const scenario::Strategy& strategy) {
  StepRun run;
  run.program = program_for(strategy, micro_batches_of(strategy));
  run.costs = step_costs(layers, layout, job, machine, strategy);
  lay_step(run.program, run.costs, run.graph);
  if (!timeline::simulate(run.graph, run.times)) run.times.makespan = kNever;
  return run;
}

double simulated_seconds(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                         const scenario::Strategy& strategy) {
  const StepCosts costs = step_costs(layers, layout, job, machine, strategy);
  const double micro_batches = micro_batches_of(strategy), part = micro_batches - std::floor(micro_batches);
  double seconds = makespan(program_for(strategy, micro_batches), costs);
  if (part > 0 && micro_batches > 1)
    seconds += part * (makespan(program_for(strategy, micro_batches + 1), costs) - seconds);
  return seconds * straggler_stretch(machine);
}

StepTime simulated_step(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                        const scenario::Strategy& strategy) {
  const Program program = program_for(strategy, micro_batches_of(strategy));
  const StepCosts costs = step_costs(layers, layout, job, machine, strategy);
  StepCosts bare = without_data_parallel(costs);
  const double with_sends = makespan(program, bare);
  bare.send = 0;
  const double work = makespan(program, bare, timeline::longest_path);  // nothing is left to collide
  const double whole = makespan(program, costs);
  const auto busy = busy_times(program, costs);
  const double slowest = *std::max_element(busy.begin(), busy.end());
  const double mean = std::accumulate(busy.begin(), busy.end(), 0.0) / program.ranks;
  StepTime step = mean_work(costs, program.micro_batches, program.ranks);
  const double shown = step.tensor + step.memory_bound + step.launch + step.tensor_comm + step.context_comm +
                       step.expert_comm + step.recompute + step.other;
  step.expert_comm += mean - shown;  // less what pairs of passes hide
  step.imbalance = slowest - mean;
  step.bubble = work - slowest;
  step.pipeline_comm = with_sends - work;
  step.optimizer = slowest_update(program, costs);
  step.other += costs.host_step + costs.norm;
  step.data_comm = whole - with_sends - step.optimizer - costs.host_step - costs.norm;
  step.time = whole * straggler_stretch(machine);
  step.straggler = step.time - whole;
  return step;
}

}  // namespace headrace::training
