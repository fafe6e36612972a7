// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "timeline/simulate.h"

namespace headrace::timeline {

base::Result<void> Times::prepare(const Graph& graph) {
  CHECK_OK(graph.check());
  start.resize(graph.size());
  end.resize(graph.size());
  makespan = 0;
  pending.assign(graph.waits().begin(), graph.waits().end());
  heads.resize(graph.lanes());
  for (std::uint32_t lane = 0; lane < graph.lanes(); ++lane) heads[lane] = graph.first(lane);
  ready.clear();
  return {};
}

bool Times::all_ran() const {
  return std::all_of(heads.begin(), heads.end(), [](Node head) { return head == Graph::kNone; });
}

}  // namespace headrace::timeline
