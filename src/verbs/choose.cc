// SPDX-License-Identifier: Apache-2.0
#include "verbs/choose.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/quantity_text.h"
#include "report/figures.h"
#include "training/legal.h"
#include "verbs/stakes.h"

namespace headrace::verbs {
namespace {

std::vector<int> narrowed(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

constexpr std::int64_t kMostOpenAccelerators = 65536;
constexpr double kSecondsPerHour = 3600;

/// How many nodes of a platform to try: one number, or powers of two when the scenario leaves its size open.
base::Result<std::vector<std::int64_t>> sizes_of(const scenario::Scenario& scenario, const std::string& platform,
                                                 const Context& context) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t nodes = 1;; nodes *= 2) {
    TRY(const std::int64_t accelerators, accelerators_of(scenario, platform, nodes, context));
    if (scenario.center.size_open && accelerators > kMostOpenAccelerators) return sizes;
    sizes.push_back(accelerators);
    if (!scenario.center.size_open) return sizes;
  }
}

/// Why no strategy is legal, shown on the one that takes each given key and 1 elsewhere.
base::Error no_legal_strategy(const PreparedJob& job, const scenario::Scenario& scenario, std::int64_t accelerators,
                              const catalog::Software* software) {
  scenario::Strategy one;
  const auto given = [](const auto& values, auto otherwise) {
    return values.empty() ? otherwise : decltype(otherwise)(values.front());
  };
  const scenario::StrategyChoices& choices = scenario.strategy;
  one.tensor = given(choices.tensor, 1);
  one.pipeline = given(choices.pipeline, 1);
  one.virtual_pipeline = given(choices.virtual_pipeline, 1);
  one.context = given(choices.context, 1);
  one.context_kind = given(choices.context_kind, scenario::ContextKind::kRing);
  one.expert = given(choices.expert, 1);
  one.expert_tensor = given(choices.expert_tensor, 1);
  one.data =
      given(choices.data, int(std::max<std::int64_t>(1, accelerators / (one.tensor * one.pipeline * one.context))));
  one.micro_batch = given(choices.micro_batch, 1);
  one.shard_group = given(choices.shard_group, 0);
  one.data_parallel = given(choices.data_parallel, scenario::DataParallel::kDdp);
  one.offload_optimizer = !choices.offload_optimizer.empty() && choices.offload_optimizer.front();
  one.global_batch = scenario.training.global_batch.value_or(scenario.training.global_batch_limit);
  const base::Value* strategy = scenario.resolved.find("strategy");
  base::Error error;
  const bool written = strategy && !strategy->place().file.starts_with("origin.");
  error.where = written ? strategy->place() : base::Place{};
  error.what = {"plan.no_legal_strategy", {report::grouped(accelerators)}};
  const std::int64_t model_parallel = std::int64_t{one.tensor} * one.pipeline * one.context;
  error.hint = choices.data.empty() && accelerators % model_parallel != 0
                   ? base::Message{"plan.degrees_do_not_divide",
                                   {report::grouped(model_parallel), report::grouped(accelerators)}}
                   : training::illegal(job.job, one, int(accelerators));
  if (error.hint && error.hint->id == "strategy.batch_rounds" && choices.data.empty() && choices.micro_batch.empty())
    error.hint = base::Message{"plan.batch_divides_nothing",
                               {report::grouped(one.global_batch), report::grouped(accelerators),
                                std::to_string(std::max(accelerators, one.global_batch))}};
  if (!error.hint && software) error.hint = training::unsupported(*software, job.job, one);
  return error;
}

/// Searches machine after machine and keeps what stays within the limits.
class Collector {
 public:
  Collector(const PreparedJob& job, const scenario::Scenario& scenario, const Context& context)
      : job_(job), scenario_(scenario), context_(context) {}

  /// True when a choice within all limits was found on this machine.
  bool search(PreparedMachine machine) {
    plan::Options options = options_of(machine, scenario_, context_);
    options.exact = options.top;
    options.top *= plan::kVariantsKept;
    plan::Found found = plan::search(job_.job, machine.machine, space_of(scenario_), options);
    chosen_.machines.push_back(std::move(machine));
    stakes_.push_back(stakes_of(job_, chosen_.machines.back(), scenario_, context_.catalog));
    count(found);
    const std::size_t before = chosen_.best.size();
    keep(found.best, chosen_.best);
    keep(found.pareto, chosen_.pareto);
    for (plan::Candidate& candidate : found.nearest) {
      candidate.machine = int(chosen_.machines.size()) - 1;
      chosen_.nearest.push_back(candidate);
    }
    return chosen_.best.size() > before;
  }

  /// Everything found, ranked over all machines. The order within a machine is the search's own, so it is the same for
  /// any number of threads.
  Chosen ranked() {
    const auto key = [&](const plan::Candidate& candidate) {
      return badness(figures(candidate), scenario_.objective.minimize);
    };
    const auto order = scenario_.objective.minimize == scenario::Goal::kMemory ? plan::Objective::kMemory
                                                                               : plan::Objective::kThroughput;
    std::vector<std::pair<double, plan::Candidate>> keyed;
    for (const plan::Candidate& candidate : chosen_.best) keyed.emplace_back(key(candidate), candidate);
    std::sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : plan::ranks_before(a.second, b.second, order);
    });
    std::transform(keyed.begin(), keyed.end(), chosen_.best.begin(), [](const auto& one) { return one.second; });
    chosen_.layouts = plan::layouts(chosen_.best, scenario_.search.top);
    if (chosen_.best.size() > std::size_t(scenario_.search.top)) chosen_.best.resize(std::size_t(scenario_.search.top));
    chosen_.pareto = plan::pareto(std::move(chosen_.pareto));
    std::sort(chosen_.nearest.begin(), chosen_.nearest.end(),
              [](const auto& a, const auto& b) { return plan::ranks_before(a, b, plan::Objective::kMemory); });
    return std::move(chosen_);
  }

 private:
  [[nodiscard]] RunFigures figures(const plan::Candidate& candidate) const {
    const auto machine = std::size_t(candidate.machine);
    return figures_of(candidate, job_, chosen_.machines[machine], stakes_[machine], scenario_, context_.catalog);
  }

  void count(const plan::Found& found) {
    chosen_.search.space += found.space;
    chosen_.search.evaluated += found.evaluated;
    chosen_.search.pruned += found.pruned;
    chosen_.search.fitting += found.fitting;
    chosen_.search.exhaustive = chosen_.search.exhaustive && found.exhaustive;
  }

  void keep(const std::vector<plan::Candidate>& from, std::vector<plan::Candidate>& out) {
    for (plan::Candidate candidate : from) {
      candidate.machine = int(chosen_.machines.size()) - 1;
      const auto broken = broken_limit(figures(candidate), scenario_);
      if (!broken) {
        out.push_back(candidate);
      } else if (std::find(chosen_.broken_limits.begin(), chosen_.broken_limits.end(), *broken) ==
                 chosen_.broken_limits.end()) {
        chosen_.broken_limits.push_back(*broken);
      }
    }
  }

  const PreparedJob& job_;
  const scenario::Scenario& scenario_;
  const Context& context_;
  Chosen chosen_;
  std::vector<Stakes> stakes_;  ///< of each machine
};

}  // namespace

plan::Space space_of(const scenario::Scenario& scenario) {
  const scenario::StrategyChoices& from = scenario.strategy;
  plan::Space space;
  space.tensor = narrowed(from.tensor);
  space.pipeline = narrowed(from.pipeline);
  space.virtual_pipeline = narrowed(from.virtual_pipeline);
  space.context = narrowed(from.context);
  space.expert = narrowed(from.expert);
  space.expert_tensor = narrowed(from.expert_tensor);
  space.data = narrowed(from.data);
  space.micro_batch = narrowed(from.micro_batch);
  space.recompute_layers = narrowed(from.recompute_layers);
  space.shard_group = narrowed(from.shard_group);
  if (scenario.training.global_batch) space.global_batch = {*scenario.training.global_batch};
  space.global_batch_limit = scenario.training.global_batch_limit;
  space.sequence_parallel = from.sequence_parallel;
  space.overlap_gradient_reduce = from.overlap_gradient_reduce;
  space.overlap_parameter_gather = from.overlap_parameter_gather;
  space.overlap_tensor = from.overlap_tensor;
  space.offload_optimizer = from.offload_optimizer;
  space.data_parallel = from.data_parallel;
  space.recompute = from.recompute;
  space.schedule = from.schedule;
  space.context_kind = from.context_kind;
  return space;
}

plan::Options options_of(const PreparedMachine& machine, const scenario::Scenario& scenario, const Context& context) {
  plan::Options options;
  options.prune = scenario.search.prune;
  options.top = scenario.search.top;
  options.threads = context.threads;
  options.memory_headroom = scenario.objective.memory_headroom;
  options.progress = context.progress;
  if (scenario.objective.minimize == scenario::Goal::kMemory) options.objective = plan::Objective::kMemory;
  if (const auto rent = price_of(machine, scenario.money, context.catalog))
    options.dollars_per_accelerator_second = rent->price.value / kSecondsPerHour;
  return options;
}

base::Result<Chosen> choose(const PreparedJob& job, const scenario::Scenario& scenario, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  Collector all(job, scenario, context);
  std::int64_t accelerators = 0;
  for (const std::string& platform : scenario.center.platforms) {
    TRY(const std::vector<std::int64_t> sizes, sizes_of(scenario, platform, context));
    for (const std::int64_t size : sizes) {
      accelerators = size;
      TRY(PreparedMachine machine, prepare_machine(scenario, platform, size, context));
      // The smallest size that answers is what a scenario with an open size asks for.
      if (all.search(std::move(machine)) && scenario.objective.minimize == scenario::Goal::kGpus) break;
    }
  }
  Chosen chosen = all.ranked();
  if (chosen.search.space == 0)
    return tl::unexpected<base::Error>(no_legal_strategy(
        job, scenario, accelerators, chosen.machines.empty() ? nullptr : chosen.machines.back().software));
  chosen.search.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return chosen;
}

}  // namespace headrace::verbs
