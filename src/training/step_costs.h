// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "timeline/graph.h"
#include "training/data_parallel.h"
#include "training/schedule/schedule.h"
#include "training/step.h"

namespace headrace::training {

/// One model stage: seconds of its passes of one micro-batch, and what data parallelism moves for its parameters.
struct StageCost {
  double forward = 0;
  double backward = 0;  ///< with recompute and adding up gradients
  double weight = 0;    ///< of backward, what only the gradients of weights take
  double exchange = 0;  ///< of forward and backward, expert-parallel traffic that a pair of passes can hide
  int pieces = 1;       ///< in which its parameters and gradients travel
  DataParallelLoad load;
  StageTime work;
};

/// How sends between stages go with the passes around them.
enum class Sending : std::uint8_t {
  kMeeting,  ///< both sides stop for it, as blocking sends and receives do
  kWarmUp,   ///< the sender stops for it while the pipeline fills or drains
  kBeside,   ///< nobody but the receiver of the data waits
};

/// All figures that the event graph of a step is laid from.
struct StepCosts {
  std::vector<StageCost> stages;  ///< by model stage
  double send = 0;                ///< s from one stage to the next
  Sending sending = Sending::kMeeting;
  Traffic traffic = Traffic::kOnce;
  bool overlaps_reduce = false, overlaps_gather = false;
  bool offloads_optimizer = false;
  double host_step = 0;
  double norm = 0;  ///< s for the gradient norm over all ranks
  double slowdown = 0;
  timeline::Demand forward, backward, weight, send_demand, data_demand;
};

/// The strategy as one model chunk sees it, in which recompute_layers counts.
scenario::Strategy of_one_chunk(scenario::Strategy strategy);

Sending sending_of(const scenario::Strategy& strategy);

/// From one stage to the next.
double send_time(const LayerTimes& layers, const Machine& machine, const scenario::Strategy& strategy);

StepCosts step_costs(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                     const scenario::Strategy& strategy);

}  // namespace headrace::training
