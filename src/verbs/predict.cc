// SPDX-License-Identifier: Apache-2.0
#include "verbs/predict.h"

#include <algorithm>
#include <cmath>

#include "evidence/interval.h"
#include "judge/memory_fit.h"
#include "training/step_simulation.h"
#include "verbs/predict_run.h"

namespace headrace::verbs {
namespace {

using base::Estimate;

/// The 80 % interval of an output as factors around its value; assumed when no calibration gives one.
struct Interval {
  double low = 0.85;
  double high = 1.15;
  base::Basis basis = base::Basis::kAssumed;
};

Interval interval_of(const std::string& output, const evidence::Doubts& doubts,
                     const catalog::Calibration& calibration) {
  const auto factors = evidence::interval_of(output, doubts, calibration);
  if (!factors) return {};
  const bool assumed = calibration.find("interval." + output + ".low")->basis == "assumed";
  return {factors->low, factors->high, assumed ? base::Basis::kAssumed : base::Basis::kFitted};
}

evidence::Doubts doubts_of(const PreparedJob& job, const PreparedMachine& machine) {
  evidence::Doubts doubts = evidence::doubts_of(setting_of(job, machine), job.experience);
  if (machine.machine.device.guessed) doubts["guessed"] = 1;
  return doubts;
}

Estimate around(double value, const Interval& interval, std::string unit, std::string bound = {}) {
  return {value, value * interval.low, value * interval.high, std::move(unit), interval.basis, std::move(bound)};
}

/// A rate: falls where the time rises.
Estimate rate_of(double value, const Estimate& time, std::string unit) {
  return {value,     value * time.value / time.high, value * time.value / time.low, std::move(unit), time.basis,
          time.bound};
}

/// The resource behind the largest part of the step.
std::string bound_of(const base::Breakdown& breakdown) {
  const auto largest = std::max_element(breakdown.parts.begin(), breakdown.parts.end(),
                                        [](const base::Share& a, const base::Share& b) { return a.value < b.value; });
  return "bound." + largest->name.substr(std::string("part.").size());
}

scenario::MemoryOutcome memory_of(const training::Memory& peak, const PreparedMachine& machine,
                                  const evidence::Doubts& doubts, const catalog::Calibration& calibration) {
  scenario::MemoryOutcome out;
  out.peak = around(peak.total(), interval_of("memory", doubts, calibration), "B");
  out.parts = {"B",
               {{"holds.weights", peak.weights},
                {"holds.gradients", peak.gradients},
                {"holds.optimizer", peak.optimizer},
                {"holds.activations", peak.activations + peak.logits},
                {"holds.communication", peak.communication},
                {"holds.other", peak.other}}};
  out.peak_stage = peak.stage;
  out.capacity = machine.machine.device.memory;
  return out;
}

}  // namespace

base::Breakdown breakdown_of(const training::StepTime& step) {
  return {"s",
          {{"part.tensor", step.tensor},
           {"part.memory_bound", step.memory_bound},
           {"part.launch", step.launch},
           {"part.recompute", step.recompute},
           {"part.tensor_comm", step.tensor_comm},
           {"part.context_comm", step.context_comm},
           {"part.expert_comm", step.expert_comm},
           {"part.pipeline_comm", step.pipeline_comm},
           {"part.data_comm", step.data_comm},
           {"part.bubble", step.bubble},
           {"part.imbalance", step.imbalance},
           {"part.optimizer", step.optimizer},
           {"part.straggler", step.straggler},
           {"part.other", step.other}}};
}

const training::Memory& Timed::fullest() const {
  return *std::max_element(stages.begin(), stages.end(),
                           [](const auto& a, const auto& b) { return a.total() < b.total(); });
}

Timed time_strategy(const training::Job& job, const training::Machine& machine, const scenario::Strategy& strategy) {
  const training::Shape shape = training::shape_of(strategy);
  const training::Layout layout =
      training::divide_layers(job.model, strategy.pipeline, strategy.virtual_pipeline, strategy.schedule);
  Timed timed;
  timed.step = training::simulated_step(training::layer_times(job, machine, shape), layout, job, machine, strategy);
  timed.stages = training::stage_memory(training::layer_memory(job, machine, shape), layout, job, machine, strategy,
                                        training::MemoryQuantity::kDevice);
  return timed;
}

double data_sheet_peak(const PreparedMachine& machine, const training::Job& job) {
  const auto& peaks = machine.accelerator->peak;
  const auto found = peaks.find(job.numerics.compute);
  if (found != peaks.end()) return found->second.value();
  return job.numerics.compute == base::Dtype::kFp32 && machine.accelerator->vector_fp32
             ? machine.accelerator->vector_fp32->value()
             : 0;
}

double hardware_flops(const training::Job& job, const scenario::Strategy& strategy) {
  const double model = training::model_flops(job, strategy, false);
  const double tokens = double(strategy.global_batch) * double(job.sequence);
  const double per_token = workload::model_flops_per_token(job.model, double(job.sequence), false);
  const double attention = tokens * (per_token - workload::model_flops_per_token(job.model, 0, false));
  // A third of the step's model FLOPs are the forward pass: full recompute does it again, selective only its attention.
  switch (strategy.recompute) {
    case scenario::Recompute::kNone: return model;
    case scenario::Recompute::kSelective: return model + attention / 3;
    case scenario::Recompute::kFull: break;
  }
  const double per_chunk = double(job.model.layers.size()) / double(strategy.pipeline * strategy.virtual_pipeline);
  const double share =
      strategy.recompute_layers < 0 ? 1 : std::min(1.0, strategy.recompute_layers / std::max(1.0, per_chunk));
  return model * (1 + share / 3);
}

scenario::TrainingOutcome predict(const PreparedJob& job, const PreparedMachine& machine,
                                  const scenario::Strategy& strategy, const scenario::Scenario& scenario,
                                  const catalog::Catalog& catalog, std::uint64_t seed) {
  const Timed timed = time_strategy(job.job, machine.machine, strategy);
  const double accelerators = machine.machine.accelerators;
  scenario::TrainingOutcome out;
  out.strategy = strategy;
  out.platform = machine.platform->id;
  out.accelerator = machine.accelerator->id;
  out.accelerators = machine.machine.accelerators;
  out.nodes = machine.nodes;
  out.breakdown = breakdown_of(timed.step);
  const Interval width = interval_of("step_time", doubts_of(job, machine), catalog.calibration);
  out.step_time = around(timed.step.time, width, "s", bound_of(out.breakdown));
  out.memory = memory_of(timed.fullest(), machine, judge::memory_doubts(job.job, accelerators), catalog.calibration);
  out.fits = out.memory.peak.value <= out.memory.capacity * (1 - scenario.objective.memory_headroom);

  const double tokens = double(strategy.global_batch) * double(job.job.sequence);
  const double flops = training::model_flops(job.job, strategy, false);
  const double per_gpu_second = 1 / (accelerators * timed.step.time);
  out.tokens_per_second_per_gpu = rate_of(tokens * per_gpu_second, out.step_time, "tokens/s");
  out.model_tflops_per_gpu = rate_of(flops * per_gpu_second / 1e12, out.step_time, "TFLOP/s");
  if (const double peak = data_sheet_peak(machine, job.job); peak > 0) {
    out.mfu = rate_of(flops * per_gpu_second / peak, out.step_time, "1");
    out.hfu = rate_of(hardware_flops(job.job, strategy) * per_gpu_second / peak, out.step_time, "1");
  }
  predict_run(out, job, machine, scenario, catalog, seed);
  return out;
}

}  // namespace headrace::verbs
