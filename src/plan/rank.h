// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "scenario/strategy.h"

namespace headrace::plan {

/// What the first choice is best in. Cost is per sequence, so that it compares across accelerators and batches.
enum class Objective { kThroughput, kMemory, kCost };

/// A timed strategy that was checked for memory.
struct Candidate {
  scenario::Strategy strategy;
  int machine = 0;    ///< index into the machines searched
  double time = 0;    ///< s per step
  double memory = 0;  ///< bytes, fullest stage
  double sequences_per_second = 0;
  double dollars_per_sequence = 0;  ///< 0 = no price known
};

/// A total order of strategies by their fields, so that equal figures never leave the ranking open.
bool fields_before(const scenario::Strategy& a, const scenario::Strategy& b);

/// The stated order of the ranking: the objective, then seconds per sequence, then neither offload nor shard groups,
/// then memory, then machine, then the strategy's fields.
bool ranks_before(const Candidate& a, const Candidate& b, Objective objective);

/// Seconds per sequence: what throughput is ranked by, whatever the global batch.
inline double seconds_per_sequence(const Candidate& c) { return c.time / double(c.strategy.global_batch); }

/// The best of what is offered, at most `limit` of them.
class Best {
 public:
  Best(int limit, Objective objective) : limit_(std::size_t(limit > 0 ? limit : 0)), objective_(objective) {
    heap_.reserve(limit_ + 1);
  }
  void offer(const Candidate& candidate);
  /// No candidate whose key (seconds per sequence, bytes or dollars per sequence, by the objective) is above this
  /// enters any more.
  [[nodiscard]] double bar() const { return bar_; }
  [[nodiscard]] Objective objective() const { return objective_; }
  /// Best first.
  [[nodiscard]] std::vector<Candidate> sorted() const;
  [[nodiscard]] const std::vector<Candidate>& unsorted() const { return heap_; }

 private:
  std::size_t limit_;
  Objective objective_;
  double bar_ = 1e300;
  std::vector<Candidate> heap_;  ///< the worst on top
};

/// The candidates of one machine that none is at least as good as in both speed and memory; of equals, the first in the
/// ranking's order.
class Front {
 public:
  /// Whether anything kept is at least as fast and as small, and better in one.
  [[nodiscard]] bool dominates(double seconds_per_sequence, double memory) const;
  void offer(const Candidate& candidate);
  /// Fastest first.
  [[nodiscard]] const std::vector<Candidate>& points() const { return points_; }

 private:
  std::vector<Candidate> points_;       ///< fastest first, smallest last
  std::vector<double> times_, memory_;  ///< of points_, side by side for the search
};

}  // namespace headrace::plan
