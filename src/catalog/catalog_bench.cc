// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "base/embedded.h"
#include "base/value.h"
#include "catalog/catalog.h"

namespace headrace::catalog {
namespace {

// What every run of the program pays before its first answer.
void load_everything(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load_catalog());
}
BENCHMARK(load_everything)->Unit(benchmark::kMillisecond);

// The share of it that is reading YAML.
void read_documents(benchmark::State& state) {
  for (auto _ : state) {
    for (const base::EmbeddedFile& file : base::embedded_under("catalog/"))
      benchmark::DoNotOptimize(base::read_yaml(file.text, std::string(file.path)));
  }
}
BENCHMARK(read_documents)->Unit(benchmark::kMillisecond);

void find_by_alias(benchmark::State& state) {
  const auto catalog = load_catalog();
  for (auto _ : state) benchmark::DoNotOptimize(catalog->accelerators.find("NVIDIA H100-SXM5-80GB"));
}
BENCHMARK(find_by_alias);

}  // namespace
}  // namespace headrace::catalog
