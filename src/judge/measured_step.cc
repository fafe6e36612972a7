// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "judge/training_case.h"

namespace headrace::judge {

namespace {

bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

/// 96·B·s·l·h²·(1 + s/6h + V/16lh): a GPT's step with every layer run forward twice. Source: arXiv 2104.04473,
/// equation 3.
double flops_with_recompute(const TrainingCase& known) {
  const auto& model = known.job.model;
  const double batch = static_cast<double>(known.strategy.global_batch);
  const double sequence = static_cast<double>(known.job.sequence), hidden = static_cast<double>(model.hidden);
  const double layers = static_cast<double>(model.layers.size()), vocabulary = static_cast<double>(model.vocabulary);
  return 96 * batch * sequence * layers * hidden * hidden *
         (1 + sequence / (6 * hidden) + vocabulary / (16 * layers * hidden));
}

double stated_flops(const TrainingRow& row, const TrainingCase& known) {
  const auto& convention = row.convention;
  if (says(convention, "96*B") || says(convention, "incl. recomputation") || says(convention, "hardware FLOPs"))
    return flops_with_recompute(known);
  const bool causal = says(convention, "causal") && !says(convention, "non-causal");
  return training::model_flops(known.job, known.strategy, causal);
}

}  // namespace

tl::expected<double, std::string> measured_step(const TrainingRow& row, const TrainingCase& known) {
  const double value = *row.value;
  const double accelerators = *row.accelerators;
  const double tokens = static_cast<double>(known.strategy.global_batch) * static_cast<double>(known.job.sequence);
  if (row.metric == "iteration_time_s") return value;
  if (row.metric == "tokens_per_s_per_gpu") return tokens / (value * accelerators);
  if (row.metric == "tflops_per_gpu") return stated_flops(row, known) / (value * 1e12 * accelerators);
  if (row.metric == "mfu_pct") {
    const auto& peaks = known.place.accelerator->peak;
    const auto peak = peaks.find(known.job.numerics.compute);
    if (peak == peaks.end()) return skip("skip.unknown_peak");
    return stated_flops(row, known) / (value / 100 * peak->second.value() * accelerators);
  }
  return skip("skip.unknown_metric");
}

}  // namespace headrace::judge
