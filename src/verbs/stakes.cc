// SPDX-License-Identifier: Apache-2.0
#include "verbs/stakes.h"

#include <limits>

#include "base/quantity_text.h"
#include "verbs/predict.h"

namespace headrace::verbs {
namespace {

constexpr double kSecondsPerHour = 3600;

/// Watts of an accelerator and its share of the centre over a step of this strategy.
std::optional<double> watts_of(const scenario::Strategy& strategy, const PreparedJob& job,
                               const PreparedMachine& machine, const catalog::Catalog& catalog) {
  const Timed timed = time_strategy(job.job, machine.machine, strategy);
  const auto power = power_of(machine, breakdown_of(timed.step), catalog);
  return power ? std::optional(power->server.value) : std::nullopt;
}

}  // namespace

Stakes stakes_of(const PreparedJob& job, const PreparedMachine& machine, const scenario::Scenario& scenario,
                 const catalog::Catalog& catalog) {
  Stakes stakes{std::nullopt, run_inputs(job, machine, scenario, catalog)};
  if (const auto price = price_of(machine, scenario.money, catalog)) stakes.dollars_per_hour = price->price.value;
  return stakes;
}

RunFigures figures_of(const plan::Candidate& candidate, const PreparedJob& job, const PreparedMachine& machine,
                      const Stakes& stakes, const scenario::Scenario& scenario, const catalog::Catalog& catalog) {
  const scenario::Site& site = scenario.center.site;
  const double cooling = site.pue.value_or(1);
  RunFigures figures;
  figures.step = candidate.time;
  figures.memory = candidate.memory;
  figures.gpus = machine.machine.accelerators;
  figures.time = plan::seconds_per_sequence(candidate);
  if (scenario.training.tokens) {
    figures.time *= scenario.training.tokens->value() / double(scenario.training.sequence);
    figures.time /= usual_ratio(stakes.inputs, scenario.checkpoints, figures.time);
  }
  figures.gpu_hours = figures.time * figures.gpus / kSecondsPerHour;
  if (const auto most = power_of(machine, {}, catalog)) figures.drawn = most->server.value * figures.gpus * cooling;
  const bool energy_counts = scenario.objective.minimize == scenario::Goal::kEnergy ||
                             scenario.objective.energy_limit || scenario.money.purchase;
  if (energy_counts) {
    if (const auto watts = watts_of(candidate.strategy, job, machine, catalog))
      figures.energy = figures.time * figures.gpus * *watts * cooling;
  }
  if (stakes.dollars_per_hour) {
    figures.cost = figures.gpu_hours * *stakes.dollars_per_hour;
    if (scenario.money.purchase && site.electricity)
      *figures.cost += figures.energy.value_or(0) * site.electricity->value();
  }
  return figures;
}

double badness(const RunFigures& figures, scenario::Goal goal) {
  const double unknown = std::numeric_limits<double>::max();
  switch (goal) {
    case scenario::Goal::kTimeToTrain: break;
    case scenario::Goal::kStepTime: return figures.step;
    case scenario::Goal::kMemory: return figures.memory;
    case scenario::Goal::kGpuHours: return figures.gpu_hours;
    case scenario::Goal::kGpus: return figures.gpus;
    case scenario::Goal::kCost: return figures.cost.value_or(unknown);
    case scenario::Goal::kEnergy: return figures.energy.value_or(unknown);
  }
  return figures.time;
}

std::optional<base::Message> broken_limit(const RunFigures& figures, const scenario::Scenario& scenario) {
  const scenario::Objective& limits = scenario.objective;
  const auto above = [](const auto& value, const auto& limit) { return value && limit && *value > limit->value(); };
  if (limits.step_limit && figures.step > limits.step_limit->value()) return base::Message{"limit.step_time", {}};
  if (scenario.training.tokens) {
    if (limits.time_limit && figures.time > limits.time_limit->value()) return base::Message{"limit.time_to_train", {}};
    if (limits.gpu_hours_limit && figures.gpu_hours > *limits.gpu_hours_limit)
      return base::Message{"limit.gpu_hours", {}};
    if (above(figures.cost, limits.cost_limit)) return base::Message{"limit.cost", {}};
    if (above(figures.energy, limits.energy_limit)) return base::Message{"limit.energy", {}};
  }
  const auto& power = scenario.center.site.power_limit;
  if (!above(figures.drawn, power)) return std::nullopt;
  return base::Message{"limit.power",
                       {base::print_quantity(*figures.drawn, base::Measure::kPower),
                        base::print_quantity(power->value(), base::Measure::kPower)}};
}

}  // namespace headrace::verbs
