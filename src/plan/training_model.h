// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "plan/engine.h"
#include "training/data_parallel.h"
#include "training/job.h"
#include "training/memory.h"
#include "training/rank_memory.h"
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

  struct Work {
    training::StepWork step;
    std::vector<double> ranks;  ///< bytes of activity at its fullest, of each distinct rank
    training::DeviceBytes device;
  };
  struct States {
    training::DataParallelLoad load;
    std::vector<training::RankStates> ranks;
  };
  struct Least {
    double optimizer = 0;       ///< s
    std::vector<double> ranks;  ///< bytes beside the activity
  };
  void work(const Costs& costs, const Division& division, const scenario::Strategy& strategy, Work& work) const;
  void states(const Costs& costs, const Division& division, const scenario::Strategy& strategy, States& states) const;
  void least(const std::vector<States>& all, Least& least) const;

  [[nodiscard]] double time(const Work& work, const States& states, const scenario::Strategy& strategy) const {
    return training::step_seconds(work.step, states.load, machine_, strategy);
  }
  [[nodiscard]] double memory(const Work& work, const States& states) const {
    double fullest = 0;
    for (std::size_t i = 0; i < work.ranks.size(); ++i) {
      fullest = std::max(fullest, states.ranks[i].with(work.ranks[i]));
    }
    return fullest * work.device.times + work.device.more;
  }
  [[nodiscard]] Floor floor(const Costs& costs, const Division& division, const Frame& frame) const;
  [[nodiscard]] Floor floor(const Work& work, const Least& least) const;
  [[nodiscard]] Effects effects(const Costs& costs, const Division& division) const;
  [[nodiscard]] bool legal(const scenario::Strategy& strategy) const;

  double dollars_per_second = 0;

 private:
  const training::Job& job_;
  const training::Machine& machine_;
  std::map<std::pair<int, int>, Division> divisions_;  ///< by pipeline and virtual pipeline
};

}  // namespace headrace::plan
