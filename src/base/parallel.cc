// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace headrace::base {

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// Plain threads, not Debian's oneTBB: that library is not built with the marks ThreadSanitizer needs, so that every
// loop looked like a race.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  };
  const std::size_t used = std::min(count, static_cast<std::size_t>(std::clamp(threads, 1, hardware_threads())));
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < used; ++i) others.emplace_back(work);
  work();
}

}  // namespace headrace::base
