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

  /// Rates of the active streams; stays valid until the next call.
  const PerStream& of(Activity activity);

 private:
  struct Slot {
    Activity activity = 0;  ///< 0 = empty
    PerStream rates{};
  };

  [[nodiscard]] std::size_t place_of(Activity activity) const;
  [[nodiscard]] PerStream solve(Activity activity) const;
  void grow();

  const std::vector<Demand>& demands_;
  std::vector<Slot> slots_;  ///< open addressing, a power of two
  std::size_t used_ = 0;
};

}  // namespace headrace::timeline
