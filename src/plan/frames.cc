// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "plan/divisors.h"
#include "plan/space.h"

namespace headrace::plan {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using scenario::Schedule;

template <typename T>
bool allows(const std::vector<T>& pinned, T value) {
  return pinned.empty() || std::find(pinned.begin(), pinned.end(), value) != pinned.end();
}

/// The global batches that `data` ranks of `micro` sequences can be given: the pinned ones, or the largest up to the
/// limit.
std::vector<std::int64_t> batches(const Space& space, int data, int micro) {
  const std::int64_t unit = std::int64_t(data) * micro;
  std::vector<std::int64_t> all;
  for (const std::int64_t batch : sorted_once(space.global_batch)) {
    if (batch > 0 && batch % unit == 0) all.push_back(batch);
  }
  if (!space.global_batch.empty()) return all;
  const std::int64_t local = space.global_batch_limit / data;
  const bool power_of_two = (micro & (micro - 1)) == 0;
  const bool enumerated = !space.micro_batch.empty() || power_of_two || (local > 0 && local % micro == 0);
  if (enumerated && local >= micro) all.push_back(local / micro * unit);
  return all;
}

/// Calls add(virtual pipeline, schedule) for every schedule that differs.
template <typename Add>
void each_schedule(const Setting& setting, const Frame& frame, const Add& add) {
  const Space& space = setting.space;
  const std::int64_t layers = std::int64_t(setting.job.model.layers.size());
  const std::int64_t micro_batches = frame.global_batch / (std::int64_t(frame.data) * frame.micro_batch);
  if (allows(space.virtual_pipeline, 1)) {
    if (frame.pipeline == 1 || allows(space.schedule, Schedule::k1f1b)) add(1, Schedule::k1f1b);
    // With no more micro-batches than stages GPipe keeps what 1F1B keeps.
    if (micro_batches > frame.pipeline && frame.pipeline > 1 && allows(space.schedule, Schedule::kGpipe)) {
      add(1, Schedule::kGpipe);
    }
  }
  if (frame.pipeline == 1) return;
  for (const Schedule later : setting.later_schedules) {
    const int chunks = later == Schedule::kZbv ? 2 : 1;
    if (allows(space.virtual_pipeline, chunks) && allows(space.schedule, later)) add(chunks, later);
  }
  if (!allows(space.schedule, Schedule::kInterleaved)) return;
  for (const int chunks :
       space.virtual_pipeline.empty() ? open_chunks(layers, frame.pipeline) : degrees_given(space.virtual_pipeline)) {
    if (chunks > 1) add(chunks, Schedule::kInterleaved);
  }
}

void add_recomputations(const Setting& setting, const Frame& frame, const Legal& legal, bool selective_differs,
                        std::vector<Recomputation>& all) {
  const Space& space = setting.space;
  const auto permitted = [&](Recompute kind) {
    Frame strategy = frame;
    strategy.recompute = kind;
    return allows(space.recompute, kind) && legal(strategy);
  };
  if (permitted(Recompute::kNone)) all.push_back({Recompute::kNone, -1});
  // Where selective recompute changes nothing, a user who asked for it alone still gets it, and nobody gets it twice.
  if ((selective_differs || all.empty()) && permitted(Recompute::kSelective))
    all.push_back({Recompute::kSelective, -1});
  if (!permitted(Recompute::kFull)) return;
  const int chunk_ranks = frame.pipeline * frame.virtual_pipeline;
  const int chunk = (int(setting.job.model.layers.size()) + chunk_ranks - 1) / chunk_ranks;
  const auto pinned = sorted_once(space.recompute_layers);
  for (int n = 1; n < chunk; ++n) {
    if (allows(pinned, n)) all.push_back({Recompute::kFull, n});
  }
  const bool all_layers = std::any_of(pinned.begin(), pinned.end(), [&](int n) { return n < 0 || n >= chunk; });
  if (pinned.empty() || all_layers) all.push_back({Recompute::kFull, -1});
}

/// The values of an overlap: both where it is open, possible and changes anything.
std::vector<bool> overlaps(const std::vector<bool>& pinned, bool possible) {
  if (!possible) return {false};
  std::vector<bool> all;
  for (const bool value : {false, true}) {
    if (allows(pinned, value)) all.push_back(value);
  }
  return all;
}

/// Adds one kind with every overlap of its traffic. ZeRO-3 gathers each layer while the one before it runs: its traffic
/// always overlaps.
void add_overlaps(const Setting& setting, Sharding sharding, bool differs, std::vector<Sharding>& all) {
  if (sharding.kind == DataParallel::kZero3) {
    sharding.overlap_gradient_reduce = sharding.overlap_parameter_gather = true;
    all.push_back(sharding);
    return;
  }
  const Space& space = setting.space;
  const bool gathers = sharding.kind != DataParallel::kDdp;
  for (const bool reduce : overlaps(space.overlap_gradient_reduce, differs && setting.can_overlap_gradient_reduce)) {
    sharding.overlap_gradient_reduce = reduce;
    for (const bool gather :
         overlaps(space.overlap_parameter_gather, differs && gathers && setting.can_overlap_parameter_gather)) {
      sharding.overlap_parameter_gather = gather;
      all.push_back(sharding);
    }
  }
}

void add_shardings(const Setting& setting, const Frame& frame, const Legal& legal, bool overlap_differs,
                   std::vector<Sharding>& all) {
  const Space& space = setting.space;
  const int width = frame.data * frame.context;
  const auto permitted = [&](DataParallel kind, int group) {
    Frame strategy = frame;
    choose(strategy, Sharding{kind, group, false, false});
    return allows(space.data_parallel, kind) && legal(strategy);
  };
  const bool whole = space.shard_group.empty() || std::any_of(space.shard_group.begin(), space.shard_group.end(),
                                                              [&](int g) { return g <= 0 || g == width; });
  for (const DataParallel kind :
       {DataParallel::kDdp, DataParallel::kZero1, DataParallel::kZero2, DataParallel::kZero3}) {
    if (!permitted(kind, 0)) continue;
    if (width == 1) {  // nothing to divide: all kinds are the same
      all.push_back({kind, 0, false, false});
      return;
    }
    if (kind != DataParallel::kZero3 || whole) add_overlaps(setting, {kind, 0, false, false}, overlap_differs, all);
  }
  for (const int group : divisors(width)) {
    if (group == 1 || group == width || !allows(space.shard_group, group)) continue;
    if (!permitted(DataParallel::kZero3, group)) continue;
    add_overlaps(setting, {DataParallel::kZero3, group, false, false}, overlap_differs, all);
  }
}

/// Sets the first kind of data parallelism with which the frame can run; false when there is none.
bool settle_kind(Frame& frame, const Legal& legal) {
  for (const DataParallel kind :
       {DataParallel::kDdp, DataParallel::kZero1, DataParallel::kZero2, DataParallel::kZero3}) {
    frame.data_parallel = kind;
    if (legal(frame)) return true;
  }
  return false;
}

}  // namespace

std::vector<int> open_chunks(std::int64_t layers, int pipeline) {
  std::vector<int> chunks;
  for (const std::int64_t counted : {layers, layers + 2}) {
    if (counted % pipeline != 0) continue;
    for (const int v : divisors(counted / pipeline)) {
      if (std::int64_t(v) * pipeline <= layers) chunks.push_back(v);
    }
  }
  return sorted_once(chunks);
}

std::vector<Frame> frames(const Setting& setting, const training::Shape& shape, const Legal& legal) {
  const Space& space = setting.space;
  const int rest = setting.accelerators / (shape.tensor * shape.context);
  std::vector<Frame> all;
  Frame frame;
  frame.tensor = shape.tensor;
  frame.context = shape.context;
  frame.expert = shape.expert;
  frame.expert_tensor = shape.expert_tensor;
  frame.micro_batch = shape.micro_batch;
  frame.sequence_parallel = shape.sequence_parallel;
  frame.overlap_tensor = shape.overlap_tensor;
  frame.context_kind = shape.context_kind;
  for (const int pipeline : divisors(rest)) {
    if (pipeline > std::int64_t(setting.job.model.layers.size())) break;
    frame.pipeline = pipeline;
    frame.data = rest / pipeline;
    if (!allows(space.pipeline, pipeline) || !allows(space.data, frame.data)) continue;
    for (const std::int64_t batch : batches(space, frame.data, shape.micro_batch)) {
      frame.global_batch = batch;
      each_schedule(setting, frame, [&](int chunks, Schedule schedule) {
        frame.virtual_pipeline = chunks;
        frame.schedule = schedule;
        if (settle_kind(frame, legal)) all.push_back(frame);
      });
    }
  }
  return all;
}

void inner_choices(const Setting& setting, const Frame& frame, const Legal& legal, Effects effects, Inner& inner) {
  inner.recomputations.clear();
  inner.shardings.clear();
  inner.offloads.clear();
  add_recomputations(setting, frame, legal, effects.selective, inner.recomputations);
  add_shardings(setting, frame, legal, effects.overlap, inner.shardings);
  Frame offloaded = frame;
  for (const bool offload : {false, true}) {
    offloaded.offload_optimizer = offload;
    if (allows(setting.space.offload_optimizer, offload) && legal(offloaded)) inner.offloads.push_back(offload);
  }
}

}  // namespace headrace::plan
