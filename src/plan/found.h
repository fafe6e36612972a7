// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "plan/rank.h"

namespace headrace::plan {

struct Options {
  bool prune = true;  ///< skip what provably changes neither the best nor the Pareto front
  int top = 10;
  int exact = 0;  ///< how many of the best must be the best by the event graph, whatever the bounds say; 0 = all
  int threads = 1;
  double memory_headroom = 0.05;  ///< fraction of the accelerator's memory to leave free
  Objective objective = Objective::kThroughput;
  bool nearest = true;                        ///< when nothing fits, find the candidates that need least memory
  bool front = true;                          ///< find the Pareto front as well; without it more is pruned
  double dollars_per_accelerator_second = 0;  ///< 0 = no price known
  std::function<void(double)> progress = {};  ///< 0 to 1, from any thread
  const std::atomic<bool>* cancelled = nullptr;
};

struct Found {
  std::vector<Candidate> best;     ///< best first; equal figures by memory, then by the strategy's fields
  std::vector<Candidate> pareto;   ///< fastest first: no other is at least as fast, as small and as cheap; each
                                   ///< needs 5 % less memory than the one before
  std::int64_t space = 0;          ///< distinct legal candidates
  std::int64_t evaluated = 0;      ///< timed and checked for memory
  std::int64_t pruned = 0;         ///< proven unable to win, or too large, without being timed
  std::int64_t fitting = 0;        ///< of those evaluated
  bool exhaustive = true;          ///< false: cancelled
  bool exact = true;               ///< false: something beyond those timed by the event graph might be as fast
  std::vector<Candidate> nearest;  ///< when nothing fits: the candidates that need least memory
};

}  // namespace headrace::plan
