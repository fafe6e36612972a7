// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "base/csv.h"
#include "base/quantity_text.h"
#include "base/value.h"

namespace headrace::base {
namespace {

constexpr int kEntries = 1000;

std::string entries(const std::string& one) {
  std::string text;
  for (int i = 0; i < kEntries; ++i) text += "entry_" + std::to_string(i) + one;
  return text;
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

void read_yaml_entries(benchmark::State& state) {
  const std::string text = entries(": {name: \"An entry\", size: 64 GiB, clock: [1410, 1095], sources: [a, b]}\n");
  for (auto _ : state) benchmark::DoNotOptimize(read_yaml(text, "bench.yaml"));
  count_bytes(state, text);
}
BENCHMARK(read_yaml_entries)->Unit(benchmark::kMillisecond);

void read_json_entries(benchmark::State& state) {
  std::string text = "{";
  for (int i = 0; i < kEntries; ++i) {
    text += (i == 0 ? "" : ",") + ("\"entry_" + std::to_string(i)) +
            "\": {\"hidden_size\": 8192, \"list\": [1, 2.5, null]}";
  }
  text += "}";
  for (auto _ : state) benchmark::DoNotOptimize(read_json(text, "bench.json"));
  count_bytes(state, text);
}
BENCHMARK(read_json_entries)->Unit(benchmark::kMillisecond);

void read_csv_rows(benchmark::State& state) {
  const std::string text = "id,model,seconds,notes\n" + entries(",GPT-3 175B,11.9,\"a note, with a comma\"\n");
  for (auto _ : state) benchmark::DoNotOptimize(read_csv(text, "bench.csv"));
  count_bytes(state, text);
}
BENCHMARK(read_csv_rows)->Unit(benchmark::kMillisecond);

void parse_quantities(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_quantity("989.4 TFLOP/s", Measure::kCompute, {}));
}
BENCHMARK(parse_quantities);

}  // namespace
}  // namespace headrace::base
