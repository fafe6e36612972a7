// SPDX-License-Identifier: Apache-2.0
#include "plan/search.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "plan/engine.h"
#include "plan/training_model.h"
#include "scenario/names.h"

namespace headrace::plan {
namespace {

/// By the software, or because the user says so.
bool can(bool software, const std::vector<bool>& pinned) {
  return software || std::find(pinned.begin(), pinned.end(), true) != pinned.end();
}

/// The kinds that a fact of the software names, e.g. "ddp zero1"; all where it has no such fact, and all where the user
/// chose some.
std::vector<scenario::DataParallel> kinds_of(const catalog::Software& software, const char* fact, const Space& space) {
  std::vector<scenario::DataParallel> kinds;
  const auto stated = software.facts.find(fact);
  if (stated == software.facts.end() || !space.data_parallel.empty() || !space.shard_group.empty()) return kinds;
  std::istringstream words(stated->second);
  for (std::string word; words >> word;) {
    for (const auto& named : scenario::data_parallel_names()) {
      if (named.name == word) kinds.push_back(named.value);
    }
  }
  return kinds;
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
                        kinds_of(software, "sharding", space),
                        kinds_of(software, "sharding_with_pipeline", space),
                        machine.fabric.domain};
  return search_with(model, setting, machine.device.memory * (1 - options.memory_headroom), options);
}

}  // namespace headrace::plan
