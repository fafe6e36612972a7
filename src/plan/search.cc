// SPDX-License-Identifier: Apache-2.0
#include "plan/search.h"

#include <algorithm>

#include "plan/engine.h"
#include "plan/training_model.h"

namespace headrace::plan {
namespace {

/// By the software, or because the user says so.
bool can(bool software, const std::vector<bool>& pinned) {
  return software || std::find(pinned.begin(), pinned.end(), true) != pinned.end();
}

}  // namespace

Found search(const training::Job& job, const training::Machine& machine, const Space& space, const Options& options) {
  TrainingModel model(job, machine, space);
  model.dollars_per_second = options.dollars_per_accelerator_second * machine.accelerators;
  const auto& software = machine.software;
  const Setting setting{job,
                        space,
                        machine.accelerators,
                        can(software.overlaps_gradient_reduce, space.overlap_gradient_reduce),
                        can(software.overlaps_parameter_gather, space.overlap_parameter_gather),
                        can(software.overlaps_tensor_parallel, space.overlap_tensor),
                        machine.fabric.domain};
  return search_with(model, setting, machine.device.memory * (1 - options.memory_headroom), options);
}

}  // namespace headrace::plan
