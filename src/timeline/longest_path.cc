// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "timeline/circle.h"
#include "timeline/simulate.h"

namespace headrace::timeline {

namespace {

/// Runs each lane as far as it can go, then those that this freed.
class Walk {
 public:
  Walk(const Graph& graph, Times& times) : graph_(graph), times_(times) {
    free_at_.assign(graph.lanes(), 0);
    for (std::uint32_t lane = 0; lane < graph.lanes(); ++lane) {
      const Node head = times_.heads[lane];
      if (head != Graph::kNone && times_.pending[head] == 0) times_.ready.push_back(lane);
    }
  }

  void operator()() {
    while (!times_.ready.empty()) {
      const std::uint32_t lane = times_.ready.back();
      times_.ready.pop_back();
      run(lane);
      times_.makespan = std::max(times_.makespan, free_at_[lane]);
    }
  }

 private:
  void run(std::uint32_t lane) {
    double now = free_at_[lane];
    Node node = times_.heads[lane];
    while (node != Graph::kNone && times_.pending[node] == 0) {
      times_.start[node] = std::max(times_.start[node], now);
      now = times_.start[node] + graph_.seconds(node);
      times_.end[node] = now;
      graph_.for_each_later(node, [&](Node later) { release(later, now); });
      node = graph_.next(node);
    }
    times_.heads[lane] = node;
    free_at_[lane] = now;
  }

  void release(Node later, double now) {
    times_.start[later] = std::max(times_.start[later], now);
    if (--times_.pending[later] == 0 && times_.heads[graph_.lane(later)] == later)
      times_.ready.push_back(graph_.lane(later));
  }

  const Graph& graph_;
  Times& times_;
  std::vector<double> free_at_;
};

}  // namespace

base::Result<void> longest_path(const Graph& graph, Times& times) {
  CHECK_OK(times.prepare(graph));
  std::fill(times.start.begin(), times.start.end(), 0);
  Walk(graph, times)();
  if (!times.all_ran()) return circle(graph, times.heads);
  return {};
}

}  // namespace headrace::timeline
