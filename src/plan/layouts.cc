// SPDX-License-Identifier: Apache-2.0
#include "plan/layouts.h"

#include <algorithm>
#include <tuple>

namespace headrace::plan {

bool same_layout(const Candidate& a, const Candidate& b) {
  const auto fields = [](const Candidate& c) {
    const scenario::Strategy& s = c.strategy;
    return std::make_tuple(c.machine, s.tensor, s.pipeline, s.context, s.context_kind, s.expert, s.expert_tensor,
                           s.data, s.data_parallel, s.micro_batch, s.global_batch,
                           s.recompute == scenario::Recompute::kFull);
  };
  return fields(a) == fields(b);
}

std::vector<Layout> layouts(const std::vector<Candidate>& ranked, int most) {
  std::vector<Layout> all;
  for (const Candidate& candidate : ranked) {
    const auto layout =
        std::find_if(all.begin(), all.end(), [&](const Layout& l) { return same_layout(l.best, candidate); });
    if (layout != all.end()) {
      ++layout->variants;
    } else if (all.size() < std::size_t(most)) {
      all.push_back({candidate, 0});
    }
  }
  return all;
}

}  // namespace headrace::plan
