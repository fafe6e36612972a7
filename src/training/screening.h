// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "training/data_parallel.h"

namespace headrace::training {

/// Closed forms of the step for a search: no longer than the event graph's time, and near it. The step is made in two
/// halves, so that each is made once for many strategies. docs/schedules.md derives them.

/// Seconds of the passes of a pipeline rank, or of one model stage, for one micro-batch.
struct PassTimes {
  double forward = 0, backward = 0, weight = 0, exchange = 0;

  [[nodiscard]] double total() const { return forward + backward; }
};

/// What nothing shortens: a chain of passes and transfers from the first to the last of the first rank.
struct Chain {
  double seconds = 0;
  double backwards = 0;  ///< whole backward passes of a rank in it
  double turns = 0;      ///< of which one rank waits for all but the last to be done with what follows them
};

/// A step but for its data-parallel part, and what that part may hide behind. Sharding, overlaps of it and offload do
/// not change it.
struct StepWork {
  std::array<Chain, 3> chains;
  double around = 0;   ///< s before and after the passes: host, norm
  double stretch = 1;  ///< by the slowest rank
  double micro_batches = 0;
  PassTimes first;    ///< of the first rank's first chunk
  double pieces = 1;  ///< of its parameters
  PassTimes most;     ///< of all ranks, the longest passes
  double drain = 0;   ///< s at most from the first rank's last backwards of its last chunk to its end
  double copies = 1;  ///< ranks that hold each stage, so that half of the micro-batches go through each
  double stops = 0;   ///< s for which the sender of a pass stops
  bool alone = true;  ///< no pipeline

  std::vector<PassTimes> ranks, entries;  ///< scratch: of layout.distinct and layout.entries

  /// Without anything of data parallelism.
  [[nodiscard]] double least() const {
    return std::max({chains[0].seconds, chains[1].seconds, chains[2].seconds}) + around;
  }
};

void step_work(const LayerTimes& layers, const Layout& layout, const Machine& machine,
               const scenario::Strategy& strategy, StepWork& work);

/// The data-parallel half.
struct StepLoad {
  DataParallelLoad first;  ///< of the first rank's first chunk
  DataParallelLoad rank;   ///< of the first rank
  DataParallelLoad least;  ///< of the rank with the least of each
  double update = 0;       ///< optimizer, and the gather that follows it where nothing hides it: the slowest rank
};

StepLoad step_load(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                   const scenario::Strategy& strategy);

/// Both together.
double screened_seconds(const StepWork& work, const StepLoad& load, const Machine& machine,
                        const scenario::Strategy& strategy);

}  // namespace headrace::training
