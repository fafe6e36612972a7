// SPDX-License-Identifier: Apache-2.0
#include "judge/least_squares.h"

#include <cmath>

namespace headrace::judge {

void NormalEquations::observe(const std::vector<double>& slopes, double residual, double weight) {
  for (std::size_t i = 0; i < n_; ++i) {
    if (slopes[i] == 0) continue;
    for (std::size_t j = 0; j <= i; ++j) matrix_[i * n_ + j] += weight * slopes[i] * slopes[j];
    right_[i] -= weight * slopes[i] * residual;
  }
}

void NormalEquations::observe(std::size_t unknown, double residual, double weight) {
  matrix_[unknown * n_ + unknown] += weight;
  right_[unknown] -= weight * residual;
}

namespace {

/// Lower triangle in place; false when not positive definite.
bool factor(std::vector<double>& a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < n; ++i) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    if (a[j * n + j] <= 0) return false;
    const double root = std::sqrt(a[j * n + j]);
    for (std::size_t i = j; i < n; ++i) a[i * n + j] /= root;
  }
  return true;
}

void substitute(const std::vector<double>& a, std::vector<double>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
    x[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
    x[i] /= a[i * n + i];
  }
}

}  // namespace

std::vector<double> NormalEquations::solve(const std::vector<bool>& fixed, const std::vector<double>& kept) const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < n_; ++i)
    if (!fixed[i]) open.push_back(i);
  const auto at = [&](std::size_t i, std::size_t j) { return matrix_[std::max(i, j) * n_ + std::min(i, j)]; };
  std::vector<double> a(open.size() * open.size()), x(open.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    x[i] = right_[open[i]];
    for (std::size_t j = 0; j <= i; ++j) a[i * open.size() + j] = at(open[i], open[j]);
    for (std::size_t j = 0; j < n_; ++j)
      if (fixed[j]) x[i] -= at(open[i], j) * kept[j];
  }
  std::vector<double> all = kept;
  const bool definite = factor(a, open.size());
  if (definite) substitute(a, x);
  for (std::size_t i = 0; i < open.size(); ++i) all[open[i]] = definite ? x[i] : 0;
  return all;
}

}  // namespace headrace::judge
