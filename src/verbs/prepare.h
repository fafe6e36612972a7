// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "evidence/experience.h"
#include "scenario/outcome.h"
#include "scenario/scenario.h"
#include "training/job.h"
#include "verbs/context.h"

namespace headrace::verbs {

/// What is trained, with what must be said about how it was read.
struct PreparedJob {
  training::Job job;
  double parameters = 0;
  double active_parameters = 0;
  evidence::Experience experience;  ///< what measured runs have covered
  std::vector<base::Message> warnings;
  std::vector<scenario::Provenance> provenance;
};

/// Reads the model that the scenario names: a built-in, or a config.json beside the scenario or in the working folder.
base::Result<PreparedJob> prepare_job(const scenario::Scenario& scenario, const Context& context);

/// One centre that the scenario allows: a platform and how many of it.
struct PreparedMachine {
  training::Machine machine;
  const catalog::Platform* platform = nullptr;
  const catalog::Accelerator* accelerator = nullptr;
  const catalog::Network* network = nullptr;  ///< nullptr when there is none
  const catalog::Software* software = nullptr;
  std::int64_t nodes = 0;
};

/// A platform of the catalogue with `accelerators` of its accelerators. The catalogue must outlive it.
base::Result<PreparedMachine> prepare_machine(const scenario::Scenario& scenario, const std::string& platform,
                                              std::int64_t accelerators, const Context& context);

/// How many accelerators a platform has under the scenario's size; `open_nodes` nodes when the size is left open.
base::Result<std::int64_t> accelerators_of(const scenario::Scenario& scenario, const std::string& platform,
                                           std::int64_t open_nodes, const Context& context);

/// A job on a machine, as evidence knows runs.
evidence::Setting setting_of(const PreparedJob& job, const PreparedMachine& machine);

/// Where the facts of a machine were read.
std::vector<scenario::Provenance> provenance_of(const PreparedMachine& machine);

}  // namespace headrace::verbs
