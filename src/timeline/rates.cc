// SPDX-License-Identifier: Apache-2.0
#include "timeline/rates.h"

namespace headrace::timeline {

Rates::Rates(const std::vector<Demand>& demands) : demands_(demands), slots_(256) {}

/// Where an activity stands, or the empty slot where it would.
std::size_t Rates::place_of(Activity activity) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = start_of(activity);
  while (slots_[i].activity != activity && slots_[i].activity != 0) i = (i + 1) & mask;
  return i;
}

const Rates::PerStream& Rates::find(Activity activity) {
  std::size_t i = place_of(activity);
  if (slots_[i].activity == 0 && activity != 0) {
    if (2 * ++used_ > slots_.size()) grow();
    i = place_of(activity);
    slots_[i].activity = activity;
    slots_[i].rates = solve(activity);
  }
  return slots_[i].rates;
}

void Rates::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.activity != 0) slots_[place_of(slot.activity)] = slot;
}

Rates::PerStream Rates::solve(Activity activity) const {
  std::array<Demand, Graph::kMostStreams> active;
  std::array<int, Graph::kMostStreams> streams{};
  std::array<double, Graph::kMostStreams> rates{};
  std::size_t count = 0;
  for (int stream = 0; stream < Graph::kMostStreams; ++stream) {
    const std::uint32_t held = activity >> (4 * stream) & 15U;
    if (held == 0) continue;
    active[count] = demands_[held - 1];
    streams[count++] = stream;
  }
  share_resources(std::span(active).first(count), std::span(rates).first(count));
  PerStream all;
  all.fill(1);
  for (std::size_t i = 0; i < count; ++i) all[std::size_t(streams[i])] = rates[i];
  return all;
}

}  // namespace headrace::timeline
