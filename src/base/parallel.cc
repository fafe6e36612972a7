// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace headrace::base {

int hardware_threads() { return std::max(1, tbb::info::default_concurrency()); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  // More threads than the machine has help nobody, and oneTBB grumbles about them on stderr.
  const int used = std::min(threads, hardware_threads());
  if (used <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::task_arena arena(used);
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, body); });
}

}  // namespace headrace::base
