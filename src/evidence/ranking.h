// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalog/calibration.h"
#include "evidence/score.h"

namespace headrace::evidence {

/// One source's runs of one job on the same accelerators that differ in strategy only: how well the model ranks them.
struct Sweep {
  std::string accelerator, source, model;
  int used = 0;         ///< runs
  double spearman = 0;  ///< correlation of measured and predicted ranks, ties at their mean rank
  double regret = 0;    ///< measured time of the run that the model ranks first over the best measured, less 1
};

/// The sweeps of at least five strategies that predictions tell apart, worst regret first.
std::vector<Sweep> sweeps_of(const std::vector<Scored>& rows);

/// `ranking_spearman` and `ranking_regret`: `value` is the median over sweeps and `worst` the worst sweep's; nothing
/// without sweeps.
std::vector<Metric> ranking_metrics(const std::vector<Scored>& rows);

/// The calibration with `interval.ranking` fitted to the sweeps of predictions that leave the rows' source out: the
/// difference between two predictions that the error of a difference exceeds, in the wrong direction, one time in five.
/// From pairs of a sweep predicted within 10 % of each other; every sweep weighs the same.
catalog::Calibration fit_ranking(const std::vector<Scored>& rows, const catalog::Calibration& calibration);

}  // namespace headrace::evidence
