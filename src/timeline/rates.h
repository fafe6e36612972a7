// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timeline/graph.h"

namespace headrace::timeline {

/// What is active on a place: four bits for each stream, 0 when it idles, else its demand class and one.
using Activity = std::uint32_t;

/// The rates of a place's streams for every activity that was ever asked for; each is solved once.
class Rates {
 public:
  using PerStream = std::array<double, Graph::kMostStreams>;

  explicit Rates(const std::vector<Demand>& demands);

  /// Rates of the active streams, 1 of idle ones; stays valid until the next call.
  const PerStream& of(Activity activity) {
    const Slot& slot = slots_[start_of(activity)];
    return slot.activity == activity ? slot.rates : find(activity);
  }

 private:
  struct Slot {
    Slot() { rates.fill(1); }
    Activity activity = 0;  ///< 0 = empty, and the rates of a place that idles
    PerStream rates;
  };

  // Fibonacci hashing.
  [[nodiscard]] std::size_t start_of(Activity activity) const {
    return (std::size_t{activity} * 0x9E3779B97F4A7C15ULL >> 32) & (slots_.size() - 1);
  }
  const PerStream& find(Activity activity);
  [[nodiscard]] std::size_t place_of(Activity activity) const;
  [[nodiscard]] PerStream solve(Activity activity) const;
  void grow();

  const std::vector<Demand>& demands_;
  std::vector<Slot> slots_;  ///< open addressing, a power of two
  std::size_t used_ = 0;
};

}  // namespace headrace::timeline
