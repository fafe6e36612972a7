// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/engine.h"
#include "training/job.h"
#include "training/memory.h"
#include "training/rank_memory.h"
#include "training/screening.h"
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
    return divisions_.at({frame.pipeline, frame.virtual_pipeline, placement(frame.schedule)});
  }

  struct Work {
    training::StepWork step;
    std::vector<double> ranks;  ///< bytes of activity at its fullest, of each distinct rank
    training::DeviceBytes device;
  };
  struct States {
    training::StepLoad load;
    std::vector<training::RankStates> ranks;
  };
  struct Least {
    double update = 0;          ///< s
    std::vector<double> ranks;  ///< bytes beside the activity
  };
  void work(const Costs& costs, const Division& division, const scenario::Strategy& strategy, Work& work) const;
  void states(const Costs& costs, const Division& division, const scenario::Strategy& strategy, States& states) const;
  void least(const std::vector<States>& all, Least& least) const;

  [[nodiscard]] double time(const Work& work, const States& states, const scenario::Strategy& strategy) const {
    return training::screened_seconds(work.step, states.load, machine_, strategy);
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
  void add_division(int pipeline, int chunks, scenario::Schedule schedule);

  const training::Job& job_;
  const training::Machine& machine_;
  /// Schedules that place chunks alike share divisions.
  static scenario::Schedule placement(scenario::Schedule schedule) {
    const bool own = schedule == scenario::Schedule::kZbv || schedule == scenario::Schedule::kDualPipe;
    return own ? schedule : scenario::Schedule::k1f1b;
  }

  std::map<std::tuple<int, int, scenario::Schedule>, Division> divisions_;  ///< by pipeline, chunks and placement
};

}  // namespace headrace::plan
