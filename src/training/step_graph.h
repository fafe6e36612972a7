// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timeline/graph.h"
#include "training/schedule/schedule.h"
#include "training/step_costs.h"

namespace headrace::training {

/// The streams of a pipeline rank; all its tensor-, context- and data-parallel ranks do the same at the same time.
enum StepStream : int { kComputeStream, kForwardStream, kBackwardStream, kDataStream, kHostStream, kStepStreams };

/// What a node of the graph does.
enum class StepWorkKind : std::uint8_t {
  kForward,
  kBackward,
  kBackwardInput,
  kBackwardWeight,
  kPair,
  kSend,
  kGather,
  kReduce,
  kWait,  ///< until all that stands before it has ended
  kNorm,
  kOptimizer,
  kHost,
};

/// The caller's mark on a node: what, of which chunk and micro-batch.
struct StepTag {
  StepWorkKind kind = StepWorkKind::kWait;
  int chunk = 0;
  int micro_batch = 0;
};

std::uint32_t packed(const StepTag& tag);
StepTag unpacked(std::uint32_t tag);

/// Lays the whole step, one place per pipeline rank, into `graph`.
void lay_step(const Program& program, const StepCosts& costs, timeline::Graph& graph);

}  // namespace headrace::training
