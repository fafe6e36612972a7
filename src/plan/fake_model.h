// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan/engine.h"

namespace headrace::plan {

/// A stand-in for the training models in tests of the search itself: a cost in every direction that the space has,
/// cheap and easy to follow.
struct FakeModel {
  struct Costs {
    double layer = 0;  ///< s per layer and micro-batch, forward and backward
    double saved = 0;  ///< bytes per layer and micro-batch
    double state = 0;  ///< bytes of weights per layer
  };
  struct Division {};

  int accelerators = 8;
  int layers = 8;
  double flops = 1;  ///< relative speeds
  double bandwidth = 1;
  double dollars_per_second = 0;

  [[nodiscard]] Costs costs(const training::Shape& s) const {
    const double ranks = s.tensor * s.context;
    const double communication = (s.tensor > 1 ? (s.overlap_tensor ? 0.02 : 0.1) * s.micro_batch : 0) / bandwidth;
    return {s.micro_batch / ranks / flops + communication + 0.01 * (s.context - 1),
            s.micro_batch * (s.sequence_parallel ? 1.0 : 1.5) / ranks, 4.0 / s.tensor};
  }
  [[nodiscard]] Division division(const Frame&) const { return {}; }
  [[nodiscard]] Floor floor(const Costs& c, const Division&, const Frame& s) const {
    return {micro_batches(s) * layers * c.layer / s.pipeline * kRounding, activations(c, s) * 0.1 * kRounding};
  }

  struct Work {
    double stage = 0;  ///< s
    double kept = 0;   ///< bytes
  };
  void work(const Costs& c, const Division&, const scenario::Strategy& s, Work& w) const {
    const double stage = layers * (c.layer + recompute(c, s)) / s.pipeline;
    w = {(micro_batches(s) + (s.pipeline - 1.0) / s.virtual_pipeline) * stage, activations(c, s)};
  }

  struct States {
    double reduce = 0, update = 0, bytes = 0;
  };
  void states(const Costs& c, const Division&, const scenario::Strategy& s, States& all) const {
    const double weights = layers * c.state / s.pipeline;
    const double width = s.shard_group > 0 ? s.shard_group : s.data * s.context;
    const auto share = [&](scenario::DataParallel from) { return s.data_parallel >= from ? 1 / width : 1.0; };
    all.bytes = weights * 3 * share(scenario::DataParallel::kZero1) * (s.offload_optimizer ? 0.1 : 1.0) +
                weights * share(scenario::DataParallel::kZero2) + weights * share(scenario::DataParallel::kZero3);
    all.reduce = s.data * s.context > 1 ? weights / bandwidth : 0;
    all.update = s.offload_optimizer ? 1.0 : 0.1;
    if (s.data_parallel == scenario::DataParallel::kZero2) all.update += 0.01 * micro_batches(s);
    if (s.data_parallel == scenario::DataParallel::kZero3) {
      all.update += all.reduce * 0.1 * micro_batches(s) * (s.shard_group > 0 ? 0.5 : 1);
    }
  }

  struct Least {
    double bytes = 0;
  };
  void least(const std::vector<States>& all, Least& least) const {
    least.bytes = 1e300;
    for (const States& s : all) least.bytes = std::min(least.bytes, s.bytes);
  }
  [[nodiscard]] Floor floor(const Work& w, const Least& least) const {
    return {w.stage * kRounding, (w.kept + least.bytes) * kRounding};
  }
  [[nodiscard]] double time(const Work& w, const States& states, const scenario::Strategy& s) const {
    double time = w.stage + states.update + states.reduce * (s.overlap_gradient_reduce ? 0.2 : 1.0);
    if (s.data_parallel != scenario::DataParallel::kDdp)
      time += states.reduce * (s.overlap_parameter_gather ? 0.1 : 0.5);
    return time;
  }
  [[nodiscard]] double memory(const Work& w, const States& states) const { return w.kept + states.bytes; }
  [[nodiscard]] Effects effects(const Costs&, const Division&) const { return {}; }
  [[nodiscard]] bool legal(const scenario::Strategy& s) const {
    if (std::int64_t(s.tensor) * s.pipeline * s.context * s.data != accelerators) return false;
    if (s.global_batch % (std::int64_t(s.data) * s.micro_batch) != 0) return false;
    return s.tensor <= 4 && s.pipeline * s.virtual_pipeline <= layers;
  }

 private:
  static constexpr double kRounding = 1 - 1e-9;

  [[nodiscard]] static double micro_batches(const scenario::Strategy& s) {
    return double(s.global_batch) / (double(s.data) * s.micro_batch);
  }
  /// The part of a stage's layers that is recomputed.
  [[nodiscard]] double recomputed(const scenario::Strategy& s) const {
    if (s.recompute != scenario::Recompute::kFull) return 0;
    const double chunk = double(layers) / (s.pipeline * s.virtual_pipeline);
    return s.recompute_layers < 0 ? 1.0 : std::min(1.0, s.recompute_layers / chunk);
  }
  [[nodiscard]] double recompute(const Costs& c, const scenario::Strategy& s) const {
    return s.recompute == scenario::Recompute::kSelective ? 0.05 * c.layer : recomputed(s) * c.layer / 3;
  }
  [[nodiscard]] double activations(const Costs& c, const scenario::Strategy& s) const {
    const double micro = micro_batches(s);
    const double flight = s.schedule == scenario::Schedule::kGpipe ? micro : std::min(micro, double(s.pipeline));
    const double kept = s.recompute == scenario::Recompute::kSelective ? 0.6 : 1 - 0.9 * recomputed(s);
    return flight * (1 + 0.1 * (s.virtual_pipeline - 1)) * kept * c.saved * layers / s.pipeline;
  }
};

}  // namespace headrace::plan
