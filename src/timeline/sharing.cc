// SPDX-License-Identifier: Apache-2.0
#include "timeline/sharing.h"

#include <algorithm>

namespace headrace::timeline {

namespace {

constexpr std::size_t kMost = 16;

struct Sharing {
  std::span<const Demand> active;
  std::span<double> rates;
  std::array<bool, kMost> settled{};

  /// Of a resource: what the settled operations leave.
  [[nodiscard]] double left(std::size_t resource) const {
    double left = 1;
    for (std::size_t i = 0; i < active.size(); ++i)
      if (settled[i]) left -= active[i].share[resource] * rates[i];
    return std::max(0.0, left);
  }

  /// The most that any of the others gets of a resource: those that want less get what they want.
  [[nodiscard]] double level(std::size_t resource) const {
    double rest = left(resource), level = 1;
    std::array<bool, kMost> content = settled;
    for (bool changed = true; changed;) {
      changed = false;
      const auto asking = std::size_t(std::count(content.begin(), content.begin() + active.size(), false));
      if (asking == 0) return 1;
      level = rest / double(asking);
      for (std::size_t i = 0; i < active.size(); ++i) {
        if (content[i] || active[i].share[resource] > level) continue;
        rest -= active[i].share[resource];
        content[i] = changed = true;
      }
    }
    return level;
  }

  /// Settles the operation that is slowed most.
  void settle_slowest() {
    std::array<double, kResources> levels{};
    for (std::size_t r = 0; r < kResources; ++r) levels[r] = level(r);
    std::size_t slowest = active.size();
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (settled[i]) continue;
      rates[i] = 1;
      for (std::size_t r = 0; r < kResources; ++r)
        if (active[i].share[r] > levels[r]) rates[i] = std::min(rates[i], levels[r] / active[i].share[r]);
      if (slowest == active.size() || rates[i] < rates[slowest]) slowest = i;
    }
    settled[slowest] = true;
  }

  /// An operation that was settled before a rival turned out to be held up elsewhere.
  void use_leftovers(std::size_t i) {
    double more = 1 - rates[i];
    for (std::size_t r = 0; r < kResources; ++r)
      if (active[i].share[r] > 0) more = std::min(more, left(r) / active[i].share[r]);
    rates[i] += more;
  }
};

}  // namespace

void share_resources(std::span<const Demand> active, std::span<double> rates) {
  Sharing sharing{active, rates};
  for (std::size_t i = 0; i < active.size(); ++i) sharing.settle_slowest();
  for (std::size_t i = 0; i < active.size(); ++i) sharing.use_leftovers(i);
}

}  // namespace headrace::timeline
