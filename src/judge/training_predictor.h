// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/training_case.h"

namespace headrace::judge {

/// Predicts many cases under many calibrations: a machine is joined once for all cases on it, and a constant is known
/// to change only the cases whose machine it changes.
class TrainingPredictor {
 public:
  /// `cases` must outlive this. Error when one cannot be predicted with `calibration`.
  static base::Result<TrainingPredictor> make(const std::vector<TrainingCase>& cases,
                                              const std::vector<std::string>& constants,
                                              const catalog::Calibration& calibration);

  /// Natural logarithm of the step time of every case, in their order.
  [[nodiscard]] std::vector<double> predict(const catalog::Calibration& calibration) const;

  /// The change of every prediction per unit of the constant's logarithm, by a difference of `step`; rows are
  /// constants. `now` are the predictions at `calibration`.
  [[nodiscard]] std::vector<std::vector<double>> slopes(const catalog::Calibration& calibration,
                                                        const std::vector<double>& now, double step) const;

  [[nodiscard]] const std::vector<std::string>& constants() const { return constants_; }
  /// Cases that a constant can change, by its place in constants().
  [[nodiscard]] const std::vector<std::size_t>& touched(std::size_t constant) const { return touched_[constant]; }

 private:
  void group_by_place();
  base::Result<void> find_touched(const catalog::Calibration& calibration);
  void predict(const catalog::Calibration& calibration, std::size_t place, std::vector<double>& out) const;

  const std::vector<TrainingCase>* cases_ = nullptr;
  std::vector<std::string> constants_;
  std::vector<training::Layout> layouts_;           ///< of each case
  std::vector<std::vector<std::size_t>> by_place_;  ///< cases that share a machine
  std::vector<std::vector<bool>> changes_;          ///< of each constant: which places
  std::vector<std::vector<std::size_t>> touched_;
};

}  // namespace headrace::judge
