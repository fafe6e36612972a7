// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace headrace::timeline {

/// Which of a fixed number of places has the earliest time: a tournament, log₂ n comparisons a change.
class Earliest {
 public:
  explicit Earliest(std::uint32_t places) {
    while (leaves_ < places) leaves_ *= 2;
    nodes_.resize(2 * std::size_t{leaves_});
    for (std::uint32_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i].place = i;
    for (std::uint32_t i = leaves_ - 1; i > 0; --i) nodes_[i] = nodes_[2 * i];
  }

  void set(std::uint32_t place, double time) {
    Entry winner{time, place};
    nodes_[leaves_ + place] = winner;
    for (std::uint32_t i = leaves_ + place; i > 1; i /= 2) {
      const Entry& other = nodes_[i ^ 1];
      const bool loses = other.time < winner.time;
      winner.place = loses ? other.place : winner.place;
      winner.time = loses ? other.time : winner.time;
      nodes_[i / 2] = winner;
    }
  }

  [[nodiscard]] double time() const { return nodes_[1].time; }
  [[nodiscard]] std::uint32_t place() const { return nodes_[1].place; }

 private:
  struct Entry {
    double time = std::numeric_limits<double>::infinity();
    std::uint32_t place = 0;
  };
  std::uint32_t leaves_ = 1;
  std::vector<Entry> nodes_;  ///< the winner of each match; the final is 1
};

}  // namespace headrace::timeline
