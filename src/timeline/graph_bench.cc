// SPDX-License-Identifier: Apache-2.0
// The speed of event graphs like those of a training step: `per_node` is what one node costs, building it included; it
// must stay level as graphs grow.
#include <benchmark/benchmark.h>

#include "timeline/simulate.h"

namespace headrace::timeline {
namespace {

/// 1F1B on 16 stages with `micro_batches`: forward, backward and two sends each.
void build(Graph& graph, int micro_batches) {
  constexpr int kStages = 16;
  graph.clear(kStages, 3);
  const auto product = graph.demand({{1, 0.6, 0.2, 0, 0}}), send = graph.demand({{0.05, 0.1, 0, 1, 0}});
  std::vector<Node> forward_sent(std::size_t(kStages) * std::size_t(micro_batches)), backward_sent(forward_sent.size());
  std::vector<Node> forward(forward_sent.size()), backward(forward_sent.size());
  const auto at = [&](int stage, int micro_batch) {
    return std::size_t(stage) * std::size_t(micro_batches) + std::size_t(micro_batch);
  };
  for (int stage = 0; stage < kStages; ++stage) {
    const int warm_up = std::min(micro_batches, kStages - 1 - stage);
    for (int slot = 0; slot < micro_batches + warm_up; ++slot) {
      if (slot < micro_batches) {
        forward[at(stage, slot)] = graph.add(stage, 0, 1e-3, product);
        forward_sent[at(stage, slot)] = graph.add(stage, 1, 1e-4, send);
        graph.after(forward_sent[at(stage, slot)], forward[at(stage, slot)]);
      }
      if (slot < warm_up) continue;
      const auto back = at(stage, slot - warm_up);
      backward[back] = graph.add(stage, 0, 2e-3, product);
      backward_sent[back] = graph.add(stage, 2, 1e-4, send);
      graph.after(backward_sent[back], backward[back]);
    }
  }
  for (int stage = 0; stage < kStages; ++stage)
    for (int micro_batch = 0; micro_batch < micro_batches; ++micro_batch) {
      if (stage > 0) graph.after(forward[at(stage, micro_batch)], forward_sent[at(stage - 1, micro_batch)]);
      const auto next =
          stage + 1 < kStages ? backward_sent[at(stage + 1, micro_batch)] : forward[at(stage, micro_batch)];
      graph.after(backward[at(stage, micro_batch)], next);
    }
}

using Solve = base::Result<void> (*)(const Graph&, Times&);

void time_graph(benchmark::State& state, Solve solve) {
  Graph graph(1, 1);
  Times times;
  // Storage is used again, as a search does: its first touch is not timed.
  build(graph, int(state.range(0)));
  if (!solve(graph, times)) state.SkipWithError("a circle");
  for (auto _ : state) {
    build(graph, int(state.range(0)));
    if (!solve(graph, times)) state.SkipWithError("a circle");
    benchmark::DoNotOptimize(times.makespan);
  }
  const double nodes = double(graph.size()) * double(state.iterations());
  state.counters["nodes"] = double(graph.size());
  state.counters["nodes_per_second"] = benchmark::Counter(nodes, benchmark::Counter::kIsRate);
}

// Ten thousand to ten million nodes.
BENCHMARK_CAPTURE(time_graph, longest_path, longest_path)
    ->RangeMultiplier(10)
    ->Range(160, 160000)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(time_graph, contention, simulate)
    ->RangeMultiplier(10)
    ->Range(160, 160000)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

// Few and fixed iterations, so that tools/instructions can count them.
BENCHMARK_CAPTURE(time_graph, counted, simulate)->RangeMultiplier(8)->Range(160, 10240)->Iterations(2);

}  // namespace
}  // namespace headrace::timeline
