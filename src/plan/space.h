// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "scenario/strategy.h"
#include "training/job.h"

namespace headrace::plan {

/// Which values each choice may take; an empty list leaves it to the search. docs/search.md lists the dimensions and
/// their rules.
struct Space {
  std::vector<int> tensor, pipeline, virtual_pipeline, context, expert, expert_tensor, data, micro_batch,
      recompute_layers, shard_group;
  std::vector<std::int64_t>
      global_batch;  ///< given, or the largest that each choice reaches up to `global_batch_limit`
  std::int64_t global_batch_limit = 0;
  std::vector<bool> sequence_parallel, overlap_gradient_reduce, overlap_parameter_gather, overlap_tensor,
      offload_optimizer;
  std::vector<scenario::DataParallel> data_parallel;
  std::vector<scenario::Recompute> recompute;
  std::vector<scenario::Schedule> schedule;
  std::vector<scenario::ContextKind> context_kind;
};

/// Whether a strategy can run at all; asked once per frame and once per value of its inner choices, not per candidate.
using Legal = std::function<bool(const scenario::Strategy&)>;

/// What the space is spanned for.
struct Setting {
  const training::Job& job;
  const Space& space;
  int accelerators = 1;
  bool can_overlap_gradient_reduce = true;  ///< by the software
  bool can_overlap_parameter_gather = true;
  bool can_overlap_tensor = true;
  std::vector<scenario::Schedule> later_schedules = {};  ///< beyond GPipe, 1F1B and interleaved, that it has
  std::vector<scenario::ContextKind> context_kinds = {scenario::ContextKind::kRing};  ///< that the software has
  int domain = std::numeric_limits<int>::max();  ///< accelerators that share a scale-up link
};

/// The model chunks per pipeline rank that an interleaved schedule may have where the choice is open: all chunks alike,
/// or alike but for the embedding and the head, which then stand for one layer each.
std::vector<int> open_chunks(std::int64_t layers, int pipeline);

/// The shapes that some frame may have, in ascending order, each once.
std::vector<training::Shape> shapes(const Setting& setting);

/// A strategy without its inner choices: every degree, the schedule and the batch are set, the data-parallel kind is
/// the first legal one, all else is off.
using Frame = scenario::Strategy;

/// The legal frames of a shape, in a fixed order, each once.
std::vector<Frame> frames(const Setting& setting, const training::Shape& shape, const Legal& legal);

/// How the states are divided over the data-parallel ranks, and what of that traffic hides behind compute.
struct Sharding {
  scenario::DataParallel kind = scenario::DataParallel::kDdp;
  int group = 0;
  bool overlap_gradient_reduce = false;
  bool overlap_parameter_gather = false;
};

struct Recomputation {
  scenario::Recompute kind = scenario::Recompute::kNone;
  int layers = -1;
};

/// The inner choices of a frame; every combination of the three lists is one candidate.
struct Inner {
  std::vector<Recomputation> recomputations;
  std::vector<Sharding> shardings;
  std::vector<bool> offloads;

  [[nodiscard]] std::int64_t size() const {
    return std::int64_t(recomputations.size()) * std::int64_t(shardings.size()) * std::int64_t(offloads.size());
  }
};

/// Which inner choices change anything in a frame, by the model that costs it.
struct Effects {
  bool selective = true;  ///< selective recompute
  bool overlap = true;    ///< hiding data-parallel traffic behind compute: not with a single layer on the first stage
};

/// Fills `inner` anew for a frame, re-using its storage.
void inner_choices(const Setting& setting, const Frame& frame, const Legal& legal, Effects effects, Inner& inner);

/// Sets the inner choices of a strategy.
inline void choose(scenario::Strategy& strategy, const Recomputation& r) {
  strategy.recompute = r.kind;
  strategy.recompute_layers = r.layers;
}
inline void choose(scenario::Strategy& strategy, const Sharding& s) {
  strategy.data_parallel = s.kind;
  strategy.shard_group = s.group;
  strategy.overlap_gradient_reduce = s.overlap_gradient_reduce;
  strategy.overlap_parameter_gather = s.overlap_parameter_gather;
}

}  // namespace headrace::plan
