// SPDX-License-Identifier: Apache-2.0
#include "training/run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "training/rank_memory.h"

namespace headrace::training {
namespace {

/// x in (0, 1) with (1 − x) · exp(x) = exp(−cost): 1 + W(−exp(−1 − cost)) for cost > 0, by Newton's method on
/// log(1 − x) + x + cost, concave and falling, from a start beyond the root.
double lambert_interval(double cost) {
  double x = std::min(std::sqrt(2 * cost), 1 - std::exp(-1 - cost) / 2);
  for (int i = 0; i < 60; ++i) {
    const double error = std::log1p(-x) + x + cost;
    const double next = x + error * (1 - x) / x;
    if (std::abs(next - x) <= 1e-15 * x) break;
    x = next;
  }
  return x;
}

}  // namespace

double checkpoint_bytes(const Job& job, const Machine& machine) {
  // One accelerator that shards nothing would hold every state once.
  scenario::Strategy whole;
  whole.data_parallel = scenario::DataParallel::kDdp;
  const Layout layout = divide_layers(job.model, 1, 1);
  const LayerMemory layers = layer_memory(job, machine, shape_of(whole));
  const RankStates states = rank_states(layers, layout.stages.front(), job, whole);
  if (job.adaptation.kind == scenario::FineTuning::kFull) return states.weights + states.optimizer;
  return job.adaptation.trainable_parameters * double(base::bits(job.numerics.weights)) / 8 + states.optimizer;
}

double young_interval(const RunConditions& run) {
  return run.failures > 0 ? std::sqrt(2 * run.blocked / run.failures) : std::numeric_limits<double>::infinity();
}

double best_interval(const RunConditions& run) {
  const double least = std::min(run.write, run.work);
  if (run.failures <= 0) return run.work;
  const double cost = run.blocked * run.failures;
  const double interval = cost > 0 ? lambert_interval(cost) / run.failures : 0;
  return std::clamp(interval, least, run.work);
}

double effective_ratio(const RunConditions& run, double interval) {
  if (run.failures <= 0) return std::isinf(interval) ? 1 : interval / (interval + run.blocked);
  const double lost = run.failures * (run.downtime + run.write - run.blocked);
  return run.failures * interval / (std::exp(lost) * std::expm1(run.failures * (interval + run.blocked)));
}

}  // namespace headrace::training
