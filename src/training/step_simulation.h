// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "timeline/simulate.h"
#include "training/step_graph.h"

namespace headrace::training {

/// A step laid and run, for traces and memory over time; times are before the slowest rank's stretch.
struct StepRun {
  Program program;
  StepCosts costs;
  timeline::Graph graph{1, kStepStreams};
  timeline::Times times;
};

StepRun run_step(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                 const scenario::Strategy& strategy);

/// The step by its event graph, part by part: what passes take on the mean of ranks; how much longer the slowest rank
/// works; what the schedule's waiting adds to that; and what then come on top, in this order: transfers between stages,
/// data-parallel traffic with the optimizer. The parts sum to the time.
StepTime simulated_step(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                        const scenario::Strategy& strategy);

/// Seconds of the step by its event graph, every pipeline rank with its own layers and traffic. Where the micro-batch
/// does not divide the batch, the last one counts for its part.
double simulated_seconds(const LayerTimes& layers, const Layout& layout, const Job& job, const Machine& machine,
                         const scenario::Strategy& strategy);

}  // namespace headrace::training
