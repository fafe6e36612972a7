// SPDX-License-Identifier: Apache-2.0
#include "training/screening.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "training/legal.h"
#include "training/step_simulation.h"

namespace headrace::training {
namespace {

using scenario::DataParallel;
using scenario::Recompute;
using scenario::Schedule;
using scenario::Strategy;

/// 16 equal gated layers of width 4096, and a vocabulary of 32000 that its two ends bear.
Job small_job() {
  Job job;
  job.sequence = 4096;
  workload::LayerKind kind;
  kind.mixer.heads = 32;
  kind.mixer.kv_heads = 8;
  kind.mixer.head_dim = kind.mixer.value_dim = 128;
  kind.feed_forward.hidden = 14336;
  job.model.hidden = 4096;
  job.model.vocabulary = 32000;
  job.model.kinds = {kind};
  job.model.layers.assign(16, 0);
  return job;
}

Machine small_machine(int accelerators) {
  static const auto catalog = catalog::load_catalog();
  const auto* platform = catalog->platforms.find("dgx-h100");
  return *make_machine(*catalog->accelerators.find(platform->accelerator), *platform,
                       catalog->networks.find(platform->network), *catalog->software.find("megatron-core-0.8"),
                       catalog->calibration, accelerators);
}

Strategy any_strategy() {
  Strategy s;
  s.schedule = *rc::gen::element(Schedule::kGpipe, Schedule::k1f1b, Schedule::kInterleaved, Schedule::kZeroBubbleH1,
                                 Schedule::kZeroBubbleH2, Schedule::kZbv, Schedule::kDualPipe);
  s.tensor = 1 << *rc::gen::inRange(0, 4);
  s.pipeline = 1 << *rc::gen::inRange(0, 4);
  if (s.pipeline == 1) s.schedule = Schedule::k1f1b;
  if (s.schedule == Schedule::kInterleaved || s.schedule == Schedule::kZbv) s.virtual_pipeline = 2;
  s.data = 1 << *rc::gen::inRange(0, 5);
  s.micro_batch = 1 << *rc::gen::inRange(0, 2);
  const int rounds = *rc::gen::inRange(1, 6) * (s.schedule == Schedule::kDualPipe ? 2 : 1);
  s.global_batch = std::int64_t{s.data} * s.micro_batch * s.pipeline * rounds;
  s.sequence_parallel = *rc::gen::arbitrary<bool>();
  s.overlap_gradient_reduce = *rc::gen::arbitrary<bool>();
  s.overlap_parameter_gather = *rc::gen::arbitrary<bool>();
  s.data_parallel =
      *rc::gen::element(DataParallel::kDdp, DataParallel::kZero1, DataParallel::kZero2, DataParallel::kZero3);
  s.recompute = *rc::gen::element(Recompute::kNone, Recompute::kSelective, Recompute::kFull);
  return s;
}

struct Both {
  double bound, graph;
};

Both both(const Strategy& s) {
  const auto job = small_job();
  const auto machine = small_machine(s.tensor * s.pipeline * s.data);
  const auto layers = layer_times(job, machine, shape_of(s));
  const auto layout = divide_layers(job.model, s.pipeline, s.virtual_pipeline, s.schedule);
  StepWork work;
  step_work(layers, layout, machine, s, work);
  return {screened_seconds(work, step_load(layers, layout, job, machine, s), machine, s),
          simulated_seconds(layers, layout, job, machine, s)};
}

RC_GTEST_PROP(Screening, IsNeverAboveTheGraph, ()) {
  const auto s = any_strategy();
  RC_PRE(!illegal(small_job(), s, s.tensor * s.pipeline * s.data).has_value());
  const auto [bound, graph] = both(s);
  RC_ASSERT(bound <= graph * (1 + 1e-9));
  RC_ASSERT(bound > 0.4 * graph);
}

/// With nothing that shares a link, 1F1B's chains are the graph's own longest path.
RC_GTEST_PROP(Screening, IsTheGraphOfOneForwardOneBackward, ()) {
  auto s = any_strategy();
  s.schedule = Schedule::k1f1b;
  s.virtual_pipeline = 1;
  s.global_batch = s.global_batch / s.data;
  s.data = 1;
  RC_PRE(!illegal(small_job(), s, s.tensor * s.pipeline).has_value());
  const auto [bound, graph] = both(s);
  RC_ASSERT(std::abs(bound / graph - 1) < 0.005);
}

/// Without a pipeline, and parameters and gradients once a step, it is the graph.
RC_GTEST_PROP(Screening, IsTheGraphWithoutAPipeline, ()) {
  auto s = any_strategy();
  s.schedule = Schedule::k1f1b;
  s.virtual_pipeline = s.pipeline = s.tensor = 1;
  s.data_parallel = *rc::gen::element(DataParallel::kDdp, DataParallel::kZero1);
  const auto [bound, graph] = both(s);
  RC_ASSERT(std::abs(bound / graph - 1) < 0.005);
}

}  // namespace
}  // namespace headrace::training
