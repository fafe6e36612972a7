// SPDX-License-Identifier: Apache-2.0
#include "plan/sensitivity.h"

#include "training/memory.h"
#include "training/step_simulation.h"

namespace headrace::plan {
namespace {

bool has(const training::Machine& machine, Resource resource) {
  if (resource == Resource::kNetwork) return machine.accelerators > machine.fabric.domain;
  if (resource == Resource::kScaleUpLink) return machine.accelerators > 1 && machine.fabric.domain > 1;
  return true;
}

void scale_matrix_units(cost::Device& device, double factor) {
  for (double& peak : device.peak) peak *= factor;
  for (double& rate : device.gemm_rate) rate *= factor;
  device.attention_forward_rate *= factor;
  device.attention_backward_rate *= factor;
  device.scan_rate *= factor;
}

}  // namespace

training::Machine scaled(training::Machine machine, Resource resource, double factor) {
  switch (resource) {
    case Resource::kMatrixUnits: scale_matrix_units(machine.device, factor); break;
    case Resource::kMemoryBandwidth:
      machine.device.memory_bandwidth *= factor;
      machine.device.memory_rate *= factor;
      break;
    case Resource::kScaleUpLink: machine.fabric.scaleup_bandwidth *= factor; break;
    case Resource::kNetwork: machine.fabric.network_bandwidth *= factor; break;
    case Resource::kMemoryCapacity: machine.device.memory *= factor; break;
  }
  return machine;
}

Candidate evaluate(const training::Job& job, const training::Machine& machine, const scenario::Strategy& strategy,
                   double dollars_per_accelerator_second) {
  const auto shape = training::shape_of(strategy);
  const auto layout =
      training::divide_layers(job.model, strategy.pipeline, strategy.virtual_pipeline, strategy.schedule);
  Candidate c;
  c.strategy = strategy;
  c.time = training::simulated_seconds(training::layer_times(job, machine, shape), layout, job, machine, strategy);
  c.memory = training::peak_memory(training::layer_memory(job, machine, shape), layout, job, machine, strategy,
                                   training::MemoryQuantity::kDevice)
                 .total();
  c.sequences_per_second = double(strategy.global_batch) / c.time;
  c.dollars_per_sequence = seconds_per_sequence(c) * dollars_per_accelerator_second * machine.accelerators;
  return c;
}

std::vector<Sensitivity> sensitivities(const training::Job& job, const training::Machine& machine, const Space& space,
                                       const Options& options, const Candidate& chosen, double factor) {
  std::vector<Sensitivity> all;
  for (const Resource resource : {Resource::kMatrixUnits, Resource::kMemoryBandwidth, Resource::kScaleUpLink,
                                  Resource::kNetwork, Resource::kMemoryCapacity}) {
    if (!has(machine, resource)) continue;
    const training::Machine better = scaled(machine, resource, factor);
    Candidate then = evaluate(job, better, chosen.strategy, options.dollars_per_accelerator_second);
    if (resource == Resource::kMemoryCapacity) {
      Options one = options;
      one.top = 1;
      one.prune = true;
      one.objective = Objective::kThroughput;
      one.front = false;
      one.progress = nullptr;
      const Found found = search(job, better, space, one);
      if (!found.best.empty() && ranks_before(found.best[0], then, Objective::kThroughput)) then = found.best[0];
    }
    then.machine = chosen.machine;
    all.push_back({resource, seconds_per_sequence(then) / seconds_per_sequence(chosen) - 1, then});
  }
  return all;
}

}  // namespace headrace::plan
