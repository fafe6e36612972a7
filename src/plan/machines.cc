// SPDX-License-Identifier: Apache-2.0
#include "plan/machines.h"

#include <algorithm>

namespace headrace::plan {
namespace {

/// Whether `a` is at least as good as `b` everywhere and stands before it in the ranking, so that of equals one stays.
bool beats(const Candidate& a, const Candidate& b) {
  const bool priced = a.dollars_per_sequence > 0 && b.dollars_per_sequence > 0;
  return seconds_per_sequence(a) <= seconds_per_sequence(b) && a.memory <= b.memory &&
         (!priced || a.dollars_per_sequence <= b.dollars_per_sequence);
}

void add(Found& all, Found part, int machine) {
  const auto append = [&](std::vector<Candidate>& to, std::vector<Candidate>& from) {
    for (Candidate& c : from) {
      c.machine = machine;
      to.push_back(c);
    }
  };
  append(all.best, part.best);
  append(all.pareto, part.pareto);
  append(all.nearest, part.nearest);
  all.space += part.space;
  all.evaluated += part.evaluated;
  all.pruned += part.pruned;
  all.fitting += part.fitting;
  all.exhaustive = all.exhaustive && part.exhaustive;
}

void keep_first(std::vector<Candidate>& list, int top, Objective objective) {
  std::sort(list.begin(), list.end(),
            [&](const Candidate& a, const Candidate& b) { return ranks_before(a, b, objective); });
  if (list.size() > std::size_t(std::max(0, top))) list.resize(std::size_t(std::max(0, top)));
}

}  // namespace

std::vector<Candidate> pareto(std::vector<Candidate> candidates) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return ranks_before(a, b, Objective::kThroughput); });
  std::vector<Candidate> front;
  for (const Candidate& c : candidates) {
    // What beats it is at least as fast, so it came before.
    if (std::none_of(front.begin(), front.end(), [&](const Candidate& f) { return beats(f, c); })) front.push_back(c);
  }
  return front;
}

Found search_machines(const training::Job& job, const std::vector<MachineChoice>& machines, const Space& space,
                      const Options& options) {
  Found all;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (options.objective == Objective::kCost && machines[i].dollars_per_accelerator_second <= 0) continue;
    Options own = options;
    own.dollars_per_accelerator_second = machines[i].dollars_per_accelerator_second;
    if (options.progress) {
      own.progress = [&, i](double part) { options.progress((double(i) + part) / double(machines.size())); };
    }
    add(all, search(job, *machines[i].machine, space, own), int(i));
  }
  keep_first(all.best, options.top, options.objective);
  all.pareto = pareto(std::move(all.pareto));
  keep_first(all.nearest, all.best.empty() ? options.top : 0, Objective::kMemory);
  return all;
}

}  // namespace headrace::plan
