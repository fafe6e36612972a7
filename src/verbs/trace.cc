// SPDX-License-Identifier: Apache-2.0
#include "verbs/trace.h"

#include "training/data_parallel.h"
#include "training/step_trace.h"
#include "verbs/prepare.h"

namespace headrace::verbs {

base::Result<timeline::Trace> trace(const scenario::Outcome& outcome, const Context& context) {
  if (!outcome.training) return base::input_error({"-o", 0, 0}, "trace.nothing");
  const scenario::TrainingOutcome& shown = *outcome.training;
  TRY(const PreparedJob job, prepare_job(outcome.scenario, context));
  TRY(const PreparedMachine prepared, prepare_machine(outcome.scenario, shown.platform, shown.accelerators, context));
  const training::Machine& machine = prepared.machine;
  const scenario::Strategy& strategy = shown.strategy;
  const training::Shape shape = training::shape_of(strategy);
  const training::Layout layout =
      training::divide_layers(job.job.model, strategy.pipeline, strategy.virtual_pipeline, strategy.schedule);
  const training::StepRun run =
      training::run_step(training::layer_times(job.job, machine, shape), layout, job.job, machine, strategy);
  const auto peaks = training::stage_memory(training::layer_memory(job.job, machine, shape), layout, job.job, machine,
                                            strategy, training::MemoryQuantity::kDevice);
  return training::step_trace(run, layout, peaks, training::straggler_stretch(machine));
}

}  // namespace headrace::verbs
