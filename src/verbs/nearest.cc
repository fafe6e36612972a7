// SPDX-License-Identifier: Apache-2.0
#include "verbs/nearest.h"

#include <algorithm>
#include <map>

#include "plan/nearest.h"

namespace headrace::verbs {
namespace {

using scenario::Scenario;

/// How many letters two ids share at their start: dgx-a100-80gb is more like dgx-a100 than a cloud instance is.
std::size_t alike(const std::string& a, const std::string& b) {
  return std::size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

/// For each accelerator of the same vendor that comes in the same number with more memory, the platform most like the
/// present one.
std::vector<std::string> larger_platforms(const PreparedMachine& machine, const catalog::Catalog& catalog) {
  std::map<std::string, std::string> by_accelerator;
  for (const auto& [id, platform] : catalog.platforms.entries()) {
    const catalog::Accelerator* accelerator = catalog.accelerators.find(platform.accelerator);
    const bool comparable = accelerator && accelerator->vendor == machine.accelerator->vendor && accelerator->memory &&
                            platform.accelerators == machine.platform->accelerators;
    if (!comparable || !machine.accelerator->memory || *accelerator->memory <= *machine.accelerator->memory) continue;
    std::string& best = by_accelerator[accelerator->id];
    if (best.empty() || alike(id, machine.platform->id) > alike(best, machine.platform->id)) best = id;
  }
  std::vector<std::string> larger;
  for (const auto& [accelerator, platform] : by_accelerator) larger.push_back(platform);
  return larger;
}

std::vector<PreparedMachine> prepare_others(const PreparedMachine& machine, const Scenario& scenario,
                                            const Context& context) {
  std::vector<PreparedMachine> others;
  Scenario on_other = scenario;
  on_other.center.network.clear();
  for (const std::string& id : larger_platforms(machine, context.catalog)) {
    if (auto other = prepare_machine(on_other, id, machine.machine.accelerators, context))
      others.push_back(std::move(*other));
  }
  return others;
}

/// The job as a change leaves it.
PreparedJob changed_job(const PreparedJob& job, plan::ChangeKind kind) {
  PreparedJob changed = job;
  if (kind == plan::ChangeKind::kEightBitOptimizer) changed.job.numerics.optimizer = scenario::Optimizer::kAdam8bit;
  if (kind == plan::ChangeKind::kLora) changed.job.adaptation.kind = scenario::FineTuning::kLora;
  if (kind == plan::ChangeKind::kQlora) {
    changed.job.adaptation.kind = scenario::FineTuning::kQlora;
    changed.job.adaptation.frozen_bits = scenario::kNf4Bits;
  }
  return changed;
}

/// The machine that a change runs on.
base::Result<PreparedMachine> changed_machine(const plan::Change& change, const PreparedMachine& machine,
                                              const std::vector<PreparedMachine>& others, const Scenario& scenario,
                                              const Context& context) {
  if (change.kind == plan::ChangeKind::kOtherMachine) return others[std::size_t(change.candidate.machine)];
  if (change.accelerators == machine.machine.accelerators) return machine;
  return prepare_machine(scenario, machine.platform->id, change.accelerators, context);
}

}  // namespace

base::Result<std::vector<scenario::Change>> nearest_changes(const PreparedJob& job, const PreparedMachine& machine,
                                                            const Scenario& scenario, const Context& context) {
  const std::vector<PreparedMachine> others = prepare_others(machine, scenario, context);
  std::vector<plan::OtherMachine> names;
  for (const PreparedMachine& other : others) names.push_back({other.platform->id, &other.machine});
  std::vector<scenario::Change> changes;
  for (const plan::Change& change : plan::nearest_changes(job.job, machine.machine, space_of(scenario),
                                                          options_of(machine, scenario, context), names)) {
    TRY(const PreparedMachine on, changed_machine(change, machine, others, scenario, context));
    changes.push_back({change.what, change.set,
                       predict(changed_job(job, change.kind), on, change.candidate.strategy, scenario, context.catalog,
                               context.seed)});
  }
  return changes;
}

}  // namespace headrace::verbs
