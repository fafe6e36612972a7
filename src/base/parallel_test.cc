// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace headrace::base {
namespace {

TEST(Parallel, CallsEveryIndexOnce) {
  for (const int threads : {0, 1, 2, 4}) {
    std::vector<int> calls(1000, 0);
    parallel_for(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), 1000) << threads;
  }
  parallel_for(0, 2, [](std::size_t) { FAIL(); });
  EXPECT_GE(hardware_threads(), 1);
}

TEST(Parallel, RunsOnNoMoreThreadsThanAsked) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  parallel_for(200, 2, [&](std::size_t) {
    const int now = ++running;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    for (int pause = 0; pause < 100; ++pause) std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace headrace::base
