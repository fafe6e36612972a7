// SPDX-License-Identifier: Apache-2.0
#include "judge/leave_out.h"

#include <atomic>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "judge/doubts.h"
#include "judge/near_duplicates.h"

namespace headrace::judge {

base::Result<std::vector<evidence::Scored>> predict_left_out(const std::vector<TrainingCase>& cases,
                                                             const catalog::Calibration& shipped, Fold fold,
                                                             const LeaveOutOptions& options) {
  std::map<std::string, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < cases.size(); ++i) members[fold_of(cases[i], fold)].push_back(i);
  std::vector<const std::vector<std::size_t>*> folds;
  for (const auto& [name, indices] : members)
    if (options.only.empty() || options.only == name) folds.push_back(&indices);
  const auto alike = near_duplicates(cases);
  TRY(const auto predictor, TrainingPredictor::make(cases, training_constants(shipped), training_priors(shipped)));
  std::vector<double> predicted(cases.size());
  std::atomic<std::size_t> done{0};
  base::parallel_for(folds.size(), options.threads, [&](std::size_t f) {
    std::vector<bool> used(cases.size(), true);
    for (const std::size_t i : *folds[f]) {
      used[i] = false;
      for (const std::size_t other : alike[i]) used[other] = false;
    }
    const auto fitted = fit_training(cases, predictor, used, shipped, options.fit);
    for (const std::size_t i : *folds[f])
      if (const auto seconds = predict(cases[i], fitted)) predicted[i] = *seconds;
    if (options.progress) options.progress(double(++done) / double(folds.size()));
  });
  const auto doubts = doubts_without_own_source(cases, settings_of(cases));
  std::vector<evidence::Scored> scored;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (predicted[i] != 0) scored.push_back(scored_of(cases[i], predicted[i], doubts[i]));
  return scored;
}

}  // namespace headrace::judge
