// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace headrace::base {

/// Reproducible random numbers: the same seed gives the same sequence on every machine. SplitMix64 (Steele, Lea, Flood,
/// OOPSLA 2014).
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// In the open interval (0, 1).
  double uniform() { return (double(next() >> 11) + 0.5) / 9007199254740992.0; }
  /// Of the standard normal distribution (Box and Muller, 1958).
  double normal();

 private:
  std::uint64_t state_;
};

}  // namespace headrace::base
