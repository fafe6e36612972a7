// SPDX-License-Identifier: Apache-2.0
// The speed of the search: GPT-3 175B on 4096 accelerators. `per_candidate` is what one strategy costs; the slope check
// compares it over data-parallel widths.
#include <benchmark/benchmark.h>

#include "plan/example.h"
#include "plan/search.h"

namespace headrace::plan {
namespace {

void report(benchmark::State& state, const Found& found) {
  state.counters["space"] = double(found.space);
  state.counters["evaluated"] = double(found.evaluated);
  state.counters["fitting"] = double(found.fitting);
  state.counters["per_candidate"] = benchmark::Counter(double(found.evaluated) * double(state.iterations()),
                                                       benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void search_gpt3(benchmark::State& state, bool prune) {
  const auto job = example_gpt3();
  const auto machine = example_machine(4096);
  Space space;
  space.global_batch_limit = 1536;
  Found found;
  for (auto _ : state) found = search(job, machine, space, {.prune = prune});
  report(state, found);
}

BENCHMARK_CAPTURE(search_gpt3, exhaustive, false)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(search_gpt3, pruned, true)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// The same degrees of everything but data parallel, on ever more accelerators: time per candidate must stay level.
void search_width(benchmark::State& state) {
  const auto job = example_gpt3();
  const int data = int(state.range(0));
  const auto machine = example_machine(64 * data);
  Space space;
  space.data = {data};
  space.context = {1};
  space.shard_group = {0};
  space.micro_batch = {1, 2, 4};
  space.global_batch = {std::int64_t(data) * 32};
  Found found;
  for (auto _ : state) found = search(job, machine, space, {.prune = false});
  report(state, found);
}

// Few and fixed iterations, so that tools/instructions can count them.
BENCHMARK(search_width)->RangeMultiplier(8)->Range(2, 1024)->Iterations(20)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::plan
