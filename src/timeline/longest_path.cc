// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "timeline/ready.h"
#include "timeline/simulate.h"

namespace headrace::timeline {

tl::unexpected<base::Error> circle(const Graph& graph, std::size_t ended) {
  return tl::unexpected<base::Error>(base::Error{
      base::ErrorKind::kInternal, {"timeline.circle", {std::to_string(graph.size() - ended)}}, {}, std::nullopt});
}

base::Result<void> longest_path(const Graph& graph, Times& times) {
  times.start.assign(graph.size(), 0);
  times.end.resize(graph.size());
  times.makespan = 0;
  Ready ready(graph, times.pending, times.ready);
  std::size_t ended = 0;
  while (!ready.empty()) {
    const Node node = ready.pop();
    const double end = times.start[node] + graph.seconds(node);
    times.end[node] = end;
    times.makespan = std::max(times.makespan, end);
    ready.ended(node, [&](Node later) { times.start[later] = std::max(times.start[later], end); });
    ++ended;
  }
  if (ended < graph.size()) return circle(graph, ended);
  return {};
}

}  // namespace headrace::timeline
