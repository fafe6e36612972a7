// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace headrace::base {

/// How many threads this machine offers, at least 1.
int hardware_threads();

/// Calls body(i) for every i below `count`, on up to `threads` threads, in no fixed order. The caller writes results by
/// index, so that they do not depend on the number of threads. Cancelling is the body's affair.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

}  // namespace headrace::base
