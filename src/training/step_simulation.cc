// SPDX-License-Identifier: Apache-2.0
#include "training/step_simulation.h"

namespace headrace::training {

namespace {

int micro_batches_of(const scenario::Strategy& strategy) {
  return int(strategy.global_batch / (std::int64_t{strategy.data} * strategy.micro_batch));
}

}  // namespace

StepRun run_step(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                 const scenario::Strategy& strategy) {
  StepRun run;
  run.program = program_of(strategy.schedule, strategy.pipeline, strategy.virtual_pipeline, micro_batches_of(strategy));
  run.costs = step_costs(layers, layout, job, machine, strategy);
  lay_step(run.program, run.costs, run.graph);
  // The graph of a legal schedule has no circle: schedule_test.cc.
  if (!timeline::simulate(run.graph, run.times)) run.times.makespan = 0;
  return run;
}

double simulated_seconds(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                         const scenario::Strategy& strategy) {
  return run_step(layers, layout, job, machine, strategy).times.makespan * straggler_stretch(machine);
}

}  // namespace headrace::training
