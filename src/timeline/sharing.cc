// SPDX-License-Identifier: Apache-2.0
#include "timeline/sharing.h"

#include <algorithm>

namespace headrace::timeline {

namespace {

constexpr std::size_t kMost = 16;
constexpr double kUsedUp = 1e-10;
constexpr int kMostRounds = 2000;  // (15/16)^(2000 / 5 resources) is below kUsedUp

struct Sharing {
  std::span<const Demand> active;
  std::span<double> rates;
  std::array<bool, kMost> held{};  ///< can go no faster
  std::array<double, kResources> left{};

  /// The most that anyone may take of what is left of a resource: who wants less than an equal part gets it, the rest
  /// is divided again; 1 when there is enough for all.
  [[nodiscard]] double level(std::size_t resource) const {
    double rest = left[resource];
    std::array<bool, kMost> content = held;
    for (;;) {
      const auto asking = std::count(content.begin(), content.begin() + std::ptrdiff_t(active.size()), false);
      if (asking == 0) return 1;
      const double level = std::max(0.0, rest) / double(asking);
      bool changed = false;
      for (std::size_t i = 0; i < active.size(); ++i) {
        const double more = active[i].share[resource] * (1 - rates[i]);
        if (content[i] || more > level) continue;
        rest -= more;
        content[i] = changed = true;
      }
      if (!changed) return level;
    }
  }

  /// Everyone who can go faster takes his part of what is left, as much as his scarcest resource allows.
  void fill() {
    std::array<double, kResources> levels{};
    for (std::size_t r = 0; r < kResources; ++r) levels[r] = level(r);
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (held[i]) continue;
      double more = 1 - rates[i];
      for (std::size_t r = 0; r < kResources; ++r)
        if (active[i].share[r] * more > levels[r]) more = levels[r] / active[i].share[r];
      rates[i] += more;
    }
  }

  /// False when nobody can go faster.
  bool measure() {
    left.fill(1);
    for (std::size_t i = 0; i < active.size(); ++i)
      for (std::size_t r = 0; r < kResources; ++r) left[r] -= active[i].share[r] * rates[i];
    bool open = false;
    for (std::size_t i = 0; i < active.size(); ++i) {
      held[i] = rates[i] >= 1 - kUsedUp;
      for (std::size_t r = 0; r < kResources; ++r) held[i] = held[i] || (active[i].share[r] > 0 && left[r] <= kUsedUp);
      open = open || !held[i];
    }
    return open;
  }
};

}  // namespace

void share_resources(std::span<const Demand> active, std::span<double> rates) {
  std::fill(rates.begin(), rates.end(), 0);
  // In each round some resource that holds back an operation loses an equal part or more of what is left of it, so
  // the rounds end; one or two are enough for most.
  Sharing sharing{active, rates};
  for (int round = 0; round < kMostRounds && sharing.measure(); ++round) sharing.fill();
}

}  // namespace headrace::timeline
