// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "scenario/strategy.h"
#include "training/job.h"
#include "training/memory.h"
#include "training/step.h"

namespace headrace::plan {

/// Which values each choice may take; an empty list leaves it to the search.
struct Space {
  std::vector<int> tensor, pipeline, virtual_pipeline, context, expert, expert_tensor, data, micro_batch, recompute_layers, shard_group;
  std::vector<std::int64_t> global_batch;  ///< given, or all up to `global_batch_limit`
  std::int64_t global_batch_limit = 0;
  std::vector<bool> sequence_parallel, overlap_gradient_reduce, overlap_parameter_gather, overlap_tensor, offload_optimizer;
  std::vector<scenario::DataParallel> data_parallel;
  std::vector<scenario::Recompute> recompute;
};

struct Options {
  bool prune = true;
  int top = 10;
  int threads = 1;
  double memory_headroom = 0.05;  ///< fraction of the accelerator's memory to leave free
  std::function<void(double)> progress;         ///< 0 to 1, from any thread
  const std::atomic<bool>* cancelled = nullptr;
};

struct Candidate {
  scenario::Strategy strategy;
  double time = 0;             ///< s per step
  double memory = 0;           ///< bytes, fullest stage
  double sequences_per_second = 0;
};

struct Found {
  std::vector<Candidate> best;    ///< fastest first; equal times by a stated order of the strategy's fields
  std::vector<Candidate> pareto;  ///< no other is at least as fast and as small
  std::int64_t space = 0;         ///< distinct legal candidates
  std::int64_t evaluated = 0;     ///< timed and checked for memory
  std::int64_t pruned = 0;        ///< proven unable to win without being timed
  std::int64_t fitting = 0;
  bool exhaustive = true;
  std::vector<Candidate> nearest; ///< when nothing fits: the candidates that need least memory
};

/// Searches all legal strategies; the answer does not depend on the number of threads.
Found search(const training::Job& job, const training::Machine& machine, const Space& space, const Options& options);

}  // namespace headrace::plan
