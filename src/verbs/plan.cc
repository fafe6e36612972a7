// SPDX-License-Identifier: Apache-2.0
#include "verbs/plan.h"

#include "base/parallel.h"
#include "base/quantity_text.h"
#include "plan/sensitivity.h"
#include "plan/ties.h"
#include "report/figures.h"
#include "verbs/choose.h"
#include "verbs/money.h"
#include "verbs/nearest.h"
#include "verbs/waterfall.h"

namespace headrace::verbs {
namespace {

using scenario::Outcome;
using scenario::TrainingOutcome;

Outcome start(const char* verb, const scenario::Scenario& scenario, const PreparedJob& job, const Context& context) {
  Outcome outcome;
  outcome.verb = verb;
  outcome.scenario = scenario;
  outcome.seed = context.seed;
  outcome.model_name = job.job.model.name;
  outcome.parameters = job.parameters;
  outcome.active_parameters = job.active_parameters;
  outcome.warnings = job.warnings;
  outcome.provenance = job.provenance;
  return outcome;
}

/// What is not known of the answer, and what it was guessed from.
void add_notes(Outcome& outcome, const PreparedJob& job, const PreparedMachine& machine, const Context& context) {
  for (scenario::Provenance& fact : provenance_of(machine)) outcome.provenance.push_back(std::move(fact));
  if (machine.machine.device.guessed) outcome.warnings.push_back({"warning.device_guessed", {machine.accelerator->id}});
  for (evidence::Gap& gap : job.experience.gaps(setting_of(job, machine)))
    outcome.warnings.push_back(std::move(gap.warning));
  if (!machine.network && machine.nodes > 1) outcome.warnings.push_back({"warning.no_network", {machine.platform->id}});
  if (!machine.accelerator->power_limit) {
    outcome.warnings.push_back({"warning.power_unknown", {machine.accelerator->id}});
  }
  if (!outcome.scenario.training.tokens) {
    outcome.warnings.push_back({"warning.tokens_unknown", {}});
  } else if (const auto rent = price_of(machine, outcome.scenario.money, context.catalog)) {
    outcome.provenance.push_back(
        {"provenance.rent", base::print_quantity(rent->price.value / 3600, base::Measure::kRentPrice), rent->source});
  } else {
    outcome.warnings.push_back({"warning.cost_unknown", {machine.accelerator->id}});
  }
}

std::vector<TrainingOutcome> predicted(const std::vector<plan::Candidate>& candidates, const PreparedJob& job,
                                       const Chosen& chosen, const scenario::Scenario& scenario,
                                       const Context& context) {
  std::vector<TrainingOutcome> out(candidates.size());
  base::parallel_for(candidates.size(), context.threads, [&](std::size_t i) {
    out[i] =
        predict(job, chosen.machine_of(candidates[i]), candidates[i].strategy, scenario, context.catalog, context.seed);
  });
  return out;
}

/// Choices whose speeds differ by less than the model can tell between two strategies of the same job; numbered from 1
/// as they are printed.
base::Result<void> mark_ties(std::vector<TrainingOutcome>& choices, const std::vector<plan::Candidate>& candidates,
                             const catalog::Calibration& calibration) {
  TRY(const double uncertainty, plan::ranking_uncertainty(calibration));
  const std::vector<std::vector<int>> ties = plan::ties(candidates, uncertainty);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    for (const int other : ties[i]) choices[i].ties.push_back(other + 1);
  }
  return {};
}

/// What a reader chooses between: the best of each layout, and how many more there are of it.
base::Result<std::vector<TrainingOutcome>> layouts_of(const PreparedJob& job, const Chosen& chosen,
                                                      const scenario::Scenario& scenario, const Context& context) {
  std::vector<plan::Candidate> best;
  for (const plan::Layout& layout : chosen.layouts) best.push_back(layout.best);
  std::vector<TrainingOutcome> out = predicted(best, job, chosen, scenario, context);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].variants = chosen.layouts[i].variants;
  CHECK_OK(mark_ties(out, best, context.catalog.calibration));
  return out;
}

const char* resource_name(plan::Resource resource) {
  switch (resource) {
    case plan::Resource::kMatrixUnits: return "resource.tensor";
    case plan::Resource::kMemoryBandwidth: return "resource.memory_bandwidth";
    case plan::Resource::kScaleUpLink: return "resource.scaleup";
    case plan::Resource::kNetwork: return "resource.network";
    case plan::Resource::kMemoryCapacity: return "resource.memory";
  }
  return "";
}

/// What 10 % more of each resource would buy the one configuration that is shown.
std::vector<scenario::Gain> gains_of(const PreparedJob& job, const Chosen& chosen, const plan::Candidate& candidate,
                                     const scenario::Scenario& scenario, const Context& context) {
  const PreparedMachine& machine = chosen.machine_of(candidate);
  std::vector<scenario::Gain> gains;
  for (const plan::Sensitivity& more : plan::sensitivities(job.job, machine.machine, space_of(scenario),
                                                           options_of(machine, scenario, context), candidate))
    gains.push_back({resource_name(more.resource), more.change});
  return gains;
}

/// The configuration to show: the best, or what needs least memory when nothing fits.
const plan::Candidate* shown(const Chosen& chosen) {
  if (!chosen.best.empty()) return &chosen.best.front();
  return chosen.nearest.empty() ? nullptr : &chosen.nearest.front();
}

void add_shown(Outcome& outcome, const PreparedJob& job, const Chosen& chosen, const Context& context) {
  outcome.feasible = !chosen.best.empty();
  outcome.warnings.insert(outcome.warnings.end(), chosen.broken_limits.begin(), chosen.broken_limits.end());
  const plan::Candidate* candidate = shown(chosen);
  if (!candidate) return;
  const PreparedMachine& machine = chosen.machine_of(*candidate);
  outcome.training = predict(job, machine, candidate->strategy, outcome.scenario, context.catalog, context.seed);
  outcome.training->gains = gains_of(job, chosen, *candidate, outcome.scenario, context);
  add_notes(outcome, job, machine, context);
}

/// Keys of the strategy that hold no single value.
bool is_open(const scenario::Scenario& scenario, const scenario::SearchOutcome& search) {
  return search.space > 1 || scenario.center.size_open || scenario.center.platforms.size() > 1;
}

/// The one configuration that simulate and explain show: the given one, or the plan's best.
Outcome one_configuration(const char* verb, const scenario::Scenario& scenario, const PreparedJob& job,
                          const Chosen& chosen, const Context& context) {
  Outcome outcome = start(verb, scenario, job, context);
  if (is_open(scenario, chosen.search))
    outcome.warnings.push_back({"warning.open_choices_taken", {report::grouped(chosen.search.space)}});
  add_shown(outcome, job, chosen, context);
  return outcome;
}

}  // namespace

base::Result<Outcome> plan(const scenario::Scenario& scenario, const Context& context) {
  // What must be computed, and every way to do it that the centre allows.
  TRY(const PreparedJob job, prepare_job(scenario, context));
  TRY(const Chosen chosen, choose(job, scenario, context));

  // The best and what it rests on.
  Outcome outcome = start("plan", scenario, job, context);
  outcome.search = chosen.search;
  add_shown(outcome, job, chosen, context);

  // All that fit, with those the model can't tell apart; or what would have to change.
  outcome.choices = predicted(chosen.best, job, chosen, scenario, context);
  outcome.pareto = predicted(chosen.pareto, job, chosen, scenario, context);
  CHECK_OK(mark_ties(outcome.choices, chosen.best, context.catalog.calibration));
  TRY(outcome.layouts, layouts_of(job, chosen, scenario, context));
  if (!outcome.feasible && !chosen.nearest.empty()) {
    TRY(outcome.nearest, nearest_changes(job, chosen.machine_of(chosen.nearest.front()), scenario, context));
  }
  return outcome;
}

base::Result<Outcome> simulate(const scenario::Scenario& scenario, const Context& context) {
  TRY(const PreparedJob job, prepare_job(scenario, context));
  TRY(const Chosen chosen, choose(job, scenario, context));
  return one_configuration("simulate", scenario, job, chosen, context);
}

base::Result<Outcome> explain(const scenario::Scenario& scenario, const Context& context) {
  TRY(const PreparedJob job, prepare_job(scenario, context));
  TRY(const Chosen chosen, choose(job, scenario, context));
  Outcome outcome = one_configuration("explain", scenario, job, chosen, context);
  if (outcome.training) outcome.waterfall = waterfall_of(job, chosen.machine_of(*shown(chosen)), *outcome.training);
  return outcome;
}

}  // namespace headrace::verbs
