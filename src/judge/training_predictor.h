// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/training_case.h"

namespace headrace::judge {

/// Predicts many cases under many calibrations: a machine is joined once for all cases on it, a constant is known to
/// change only the cases whose machine it changes, and the closed form stands in for the event graph, times what the
/// graph was over it at one calibration.
class TrainingPredictor {
 public:
  /// `cases` must outlive this. Error when one cannot be predicted with `calibration`.
  static base::Result<TrainingPredictor> make(const std::vector<TrainingCase>& cases,
                                              const std::vector<std::string>& constants,
                                              const catalog::Calibration& calibration);

  /// Natural logarithm of the step time of every case, in their order: exact at the calibration of the last anchor,
  /// near it elsewhere.
  [[nodiscard]] std::vector<double> predict(const catalog::Calibration& calibration) const;

  /// Holds the closed form against the event graph at this calibration.
  void anchor(const catalog::Calibration& calibration);

  /// The change of every prediction per unit of each constant's logarithm, by a difference of the closed form; rows are
  /// constants.
  using Slopes = std::vector<std::vector<double>>;
  [[nodiscard]] Slopes slopes(const catalog::Calibration& calibration) const;
  /// Those at the calibration that this was made with, where every fit starts.
  [[nodiscard]] const Slopes& first_slopes() const;

  [[nodiscard]] const std::vector<std::string>& constants() const { return constants_; }
  /// Cases that a constant can change, by its place in constants().
  [[nodiscard]] const std::vector<std::size_t>& touched(std::size_t constant) const { return touched_[constant]; }

 private:
  void group_by_place();
  base::Result<void> find_touched(const catalog::Calibration& calibration);
  using Step = double (*)(const TrainingCase&, const training::Machine&, const CaseWork&);
  void predict(Step step, const catalog::Calibration& calibration, std::size_t place, std::vector<double>& out) const;

  const std::vector<TrainingCase>* cases_ = nullptr;
  std::vector<std::string> constants_;
  std::vector<CaseWork> work_;                      ///< of each case
  std::vector<double> correction_;                  ///< of each case: graph over closed form, in logarithms
  std::vector<std::vector<std::size_t>> by_place_;  ///< cases that share a machine
  std::vector<std::vector<bool>> changes_;          ///< of each constant: which places
  std::vector<std::vector<std::size_t>> touched_;
  Slopes first_slopes_;
};

}  // namespace headrace::judge
