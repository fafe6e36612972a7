// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace headrace::evidence {

/// What makes a prediction less certain than usual, by the name of its constant (`interval.<output>.wider.<name>`), as
/// an amount; what is absent is as usual.
using Doubts = std::map<std::string, double>;

/// An 80 % interval as factors around a prediction: low ≤ 1 ≤ high.
struct Factors {
  double low = 1;
  double high = 1;
};

/// What validation says of a row: its interval, and what one width for all would be.
struct Judged {
  Factors interval;
  Factors constant;
};

/// One measurement beside what a model says of it.
struct Scored {
  std::string id;
  std::string source;  ///< repository or paper, all its releases together
  std::string accelerator;
  std::string model;
  double measured = 0;
  double predicted = 0;
  std::string sweep = {};  ///< the same for runs of one source that differ in strategy only; empty = of none
  Doubts doubts = {};
  std::optional<Judged> interval = std::nullopt;  ///< nothing where the output has none

  [[nodiscard]] double error() const { return predicted / measured - 1; }  ///< signed, relative
  [[nodiscard]] double log_ratio() const { return std::log(measured / predicted); }
  /// Rows of one source, accelerator and model.
  [[nodiscard]] auto group() const { return std::tie(accelerator, source, model); }
};

}  // namespace headrace::evidence
