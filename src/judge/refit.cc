// SPDX-License-Identifier: Apache-2.0
#include "judge/refit.h"

#include <algorithm>
#include <set>

#include "catalog/calibration_text.h"
#include "judge/fit.h"
#include "judge/memory_case.h"
#include "judge/memory_fit.h"

namespace headrace::judge {

namespace {

using catalog::Calibration;

/// As files hold it, and never past the range by rounding.
void round_in(const std::string& key, Calibration& calibration) {
  catalog::Constant constant = *calibration.find(key);
  constant.value = std::clamp(catalog::rounded(constant.value), constant.low, constant.high);
  calibration.set(key, constant);
}

void set_counts(const std::string& key, std::size_t rows, std::size_t sources, Calibration& calibration) {
  catalog::Constant constant = *calibration.find(key);
  constant.rows = int(rows);
  constant.sources = int(sources);
  calibration.set(key, constant);
}

void count_rows(std::size_t constant, const TrainingPredictor& predictor, const std::vector<TrainingCase>& cases,
                Calibration& calibration) {
  const std::string& key = predictor.constants()[constant];
  std::set<std::string> sources;
  for (const std::size_t i : predictor.touched(constant)) sources.insert(cases[i].source);
  set_counts(key, predictor.touched(constant).size(), sources.size(), calibration);
}

base::Result<Calibration> refit_training(const catalog::Catalog& catalog) {
  TRY(const auto known, built_in_training_cases(catalog));
  const auto& shipped = catalog.calibration;
  TRY(auto predictor, TrainingPredictor::make(known.cases, training_constants(shipped), training_priors(shipped)));
  auto fitted = fit_anchored(known.cases, predictor, shipped, {});
  for (std::size_t i = 0; i < predictor.constants().size(); ++i) {
    round_in(predictor.constants()[i], fitted);
    count_rows(i, predictor, known.cases, fitted);
  }
  return fitted;
}

base::Result<Calibration> refit_memory(const catalog::Catalog& catalog, const Calibration& before) {
  TRY(const auto cases, built_in_memory_cases(catalog));
  std::vector<const MemoryCase*> measured;
  std::set<std::string> sources;
  for (const MemoryCase& known : cases.cases) {
    if (known.measured <= 0) continue;
    measured.push_back(&known);
    sources.insert(known.source);
  }
  auto fitted = fit_memory(measured, before);
  for (const std::string& key : memory_constants()) {
    round_in(key, fitted);
    if (fitted.find(key)->basis == "fitted") set_counts(key, measured.size(), sources.size(), fitted);
  }
  return fitted;
}

}  // namespace

base::Result<Refit> refit(const catalog::Catalog& catalog, const LeftOut& left_out,
                          const std::function<void(double)>& progress) {
  Refit done;
  TRY(done.calibration, refit_training(catalog));
  if (progress) progress(0.5);
  TRY(done.calibration, refit_memory(catalog, done.calibration));
  TRY(done.calibration, fit_intervals(catalog, left_out, done.calibration));
  for (const auto& [key, constant] : std::map(done.calibration.all()))
    if (key.starts_with("interval.")) round_in(key, done.calibration);
  if (progress) progress(1);
  for (const auto& [key, constant] : done.calibration.all()) {
    if (constant.basis != "fitted") continue;
    done.constants.push_back({key, *catalog.calibration.find(key), constant});
  }
  return done;
}

}  // namespace headrace::judge
