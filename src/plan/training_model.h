// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>

#include "plan/engine.h"
#include "training/job.h"
#include "training/memory.h"
#include "training/step.h"

namespace headrace::plan {

/// The training models behind the search; see Engine for what each answer means.
class TrainingModel {
 public:
  struct Costs {
    training::LayerTimes times;
    training::LayerMemory memory;
  };
  using Division = training::Layout;

  /// Keeps references to all three.
  TrainingModel(const training::Job& job, const training::Machine& machine, const Space& space);

  [[nodiscard]] Costs costs(const training::Shape& shape) const;
  [[nodiscard]] const Division& division(const Frame& frame) const {
    return divisions_.at({frame.pipeline, frame.virtual_pipeline});
  }
  [[nodiscard]] double time(const Costs& costs, const Division& division, const scenario::Strategy& strategy) const {
    return training::step_time(costs.times, division, job_, machine_, strategy).time;
  }
  [[nodiscard]] double memory(const Costs& costs, const Division& division, const scenario::Strategy& strategy) const {
    return training::peak_memory(costs.memory, division, job_, machine_, strategy, training::MemoryQuantity::kDevice)
        .total();
  }
  [[nodiscard]] Floor floor(const Costs& costs, const Division& division, const scenario::Strategy& strategy) const;
  [[nodiscard]] Effects effects(const Costs& costs, const Division& division) const;
  [[nodiscard]] bool legal(const scenario::Strategy& strategy) const;

  double dollars_per_second = 0;

 private:
  const training::Job& job_;
  const training::Machine& machine_;
  std::map<std::pair<int, int>, Division> divisions_;  ///< by pipeline and virtual pipeline
};

}  // namespace headrace::plan
