// SPDX-License-Identifier: Apache-2.0
#include "judge/refit.h"

#include <cmath>
#include <set>

#include "base/csv.h"
#include "base/embedded.h"
#include "catalog/calibration_text.h"
#include "judge/fit.h"
#include "judge/memory_case.h"
#include "judge/memory_fit.h"

namespace headrace::judge {

namespace {

using catalog::Calibration;

base::Result<base::CsvTable> ledger(const char* path) { return base::read_csv(base::embedded_text(path), path); }

/// As files hold it, and never past the range by rounding.
void round_in(const std::string& key, Calibration& calibration) {
  catalog::Constant constant = *calibration.find(key);
  constant.value = std::clamp(catalog::rounded(constant.value), constant.low, constant.high);
  calibration.set(key, constant);
}

void count_rows(std::size_t constant, const TrainingPredictor& predictor, const std::vector<TrainingCase>& cases,
                Calibration& calibration) {
  const std::string& key = predictor.constants()[constant];
  std::set<std::string> sources;
  for (const std::size_t i : predictor.touched(constant)) sources.insert(cases[i].source);
  catalog::Constant counted = *calibration.find(key);
  counted.rows = int(predictor.touched(constant).size());
  counted.sources = int(sources.size());
  calibration.set(key, counted);
}

base::Result<Calibration> refit_training(const catalog::Catalog& catalog) {
  TRY(const auto table, ledger("evidence/training.csv"));
  TRY(const auto known, training_cases(table, catalog));
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
  TRY(const auto table, ledger("evidence/memory.csv"));
  TRY(const auto cases, memory_cases(table, catalog));
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
    catalog::Constant counted = *fitted.find(key);
    if (counted.basis != "fitted") continue;
    counted.rows = int(measured.size());
    counted.sources = int(sources.size());
    fitted.set(key, counted);
  }
  return fitted;
}

}  // namespace

bool Refitted::at_edge() const {
  constexpr double kNear = 1e-3;
  return fitted.value <= fitted.low * (1 + kNear) || fitted.value >= fitted.high * (1 - kNear);
}

base::Result<Refit> refit(const catalog::Catalog& catalog, const LeftOut& left_out, int,
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
    done.constants.push_back({key, *catalog.calibration.find(key), constant, std::sqrt(constant.low * constant.high)});
  }
  return done;
}

}  // namespace headrace::judge
