// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace headrace::judge {

/// A symmetric positive definite system of n equations, gathered one observation after another: minimises
/// Σ weight (residual + slopes · x)².
class NormalEquations {
 public:
  explicit NormalEquations(std::size_t unknowns) : n_(unknowns), matrix_(unknowns * unknowns), right_(unknowns) {}

  /// `slopes` has one for each unknown.
  void observe(const std::vector<double>& slopes, double residual, double weight);
  /// An observation of one unknown alone.
  void observe(std::size_t unknown, double residual, double weight);

  /// x with the unknowns in `fixed` kept at the value they have there; the others solve. Cholesky; a system that is not
  /// positive definite gives zeros.
  [[nodiscard]] std::vector<double> solve(const std::vector<bool>& fixed, const std::vector<double>& kept) const;

 private:
  std::size_t n_;
  std::vector<double> matrix_, right_;  ///< row by row, the lower triangle
};

}  // namespace headrace::judge
