// SPDX-License-Identifier: Apache-2.0
#include "plan/search.h"

#include <algorithm>

#include "plan/engine.h"
#include "plan/machines.h"
#include "plan/retime.h"
#include "plan/training_model.h"

namespace headrace::plan {
namespace {

/// By the software, or because the user says so.
bool can(bool software, const std::vector<bool>& pinned) {
  return software || std::find(pinned.begin(), pinned.end(), true) != pinned.end();
}

std::vector<scenario::Schedule> later_schedules(const catalog::Abilities& can) {
  using scenario::Schedule;
  std::vector<Schedule> all;
  if (can.zero_bubble_h1) all.push_back(Schedule::kZeroBubbleH1);
  if (can.zero_bubble_h2) all.push_back(Schedule::kZeroBubbleH2);
  if (can.zbv) all.push_back(Schedule::kZbv);
  if (can.dualpipe) all.push_back(Schedule::kDualPipe);
  return all;
}

std::vector<scenario::ContextKind> context_kinds(const catalog::Abilities& can) {
  using enum scenario::ContextKind;
  std::vector<scenario::ContextKind> all;
  if (can.context) all.push_back(kRing);
  if (can.context_all_to_all) all.push_back(kAllToAll);
  return all;
}

/// A search keeps at least so many by their bounds for the event graph to rank.
constexpr int kLeastKept = 32;
/// And at most so many times as were asked for.
constexpr int kMostTimes = 64;

double key(const Candidate& c, Objective objective) {
  if (objective == Objective::kMemory) return c.memory;
  return objective == Objective::kCost ? c.dollars_per_sequence : seconds_per_sequence(c);
}

/// Of a front, fastest first, the points that a reader tells apart: each needs 5 % less memory than the one before.
std::vector<Candidate> thinned(const std::vector<Candidate>& front) {
  constexpr double kStep = 0.95;
  std::vector<Candidate> kept;
  for (const Candidate& point : front)
    if (kept.empty() || point.memory <= kStep * kept.back().memory) kept.push_back(point);
  return kept;
}

/// Ranks by the event graph. What the search left out is no faster than the last bound that it kept, so as many of the
/// best are certain as stay below that.
void rank_by_graph(const training::Job& job, const training::Machine& machine, const Options& options, std::size_t kept,
                   Found& found) {
  const auto before = [&](const Candidate& a, const Candidate& b) { return ranks_before(a, b, options.objective); };
  const bool all = found.best.size() < kept;
  const double bar = found.best.empty() ? 0 : key(found.best.back(), options.objective);
  retime(job, machine, options.threads, options.dollars_per_accelerator_second, found.best);
  std::sort(found.best.begin(), found.best.end(), before);
  const auto wanted = std::size_t(options.exact > 0 ? options.exact : options.top);
  const std::size_t last = std::min(wanted, found.best.size());
  found.exact = all || last == 0 || key(found.best[last - 1], options.objective) <= bar;
  if (found.best.size() > std::size_t(options.top)) found.best.resize(std::size_t(options.top));
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
                        later_schedules(software.abilities),
                        context_kinds(software.abilities),
                        machine.fabric.domain};
  const double capacity = machine.device.memory * (1 - options.memory_headroom);
  Options wide = options;
  wide.top = std::max(options.top, kLeastKept);
  while (true) {
    Found found = search_with(model, setting, capacity, wide);
    rank_by_graph(job, machine, options, std::size_t(wide.top), found);
    if (found.exact || !found.exhaustive || wide.top >= kMostTimes * std::max(options.top, 1)) {
      found.pareto = thinned(found.pareto);
      for (auto* list : {&found.pareto, &found.nearest})
        retime(job, machine, options.threads, options.dollars_per_accelerator_second, *list);
      found.pareto = pareto(std::move(found.pareto));
      return found;
    }
    wide.top *= 4;
  }
}

}  // namespace headrace::plan
