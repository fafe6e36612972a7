// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace headrace::timeline {

/// Which of a fixed number of places has the earliest time: a tournament, log₂ n comparisons a change.
class Earliest {
 public:
  explicit Earliest(std::size_t places) {
    while (leaves_ < places) leaves_ *= 2;
    times_.assign(leaves_, std::numeric_limits<double>::infinity());
    winner_.resize(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = i;
    for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = winner_[2 * i];
    if (leaves_ == 1) winner_[1] = 0;
  }

  void set(std::size_t place, double time) {
    times_[place] = time;
    for (std::size_t i = (leaves_ + place) / 2; i > 0; i /= 2) {
      const std::size_t left = winner_[2 * i], right = winner_[2 * i + 1];
      winner_[i] = times_[right] < times_[left] ? right : left;
    }
  }

  [[nodiscard]] std::size_t place() const { return winner_[1]; }
  [[nodiscard]] double time() const { return times_[winner_[1]]; }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> times_;
  std::vector<std::size_t> winner_;
};

}  // namespace headrace::timeline
