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
  [[nodiscard]] double time(const Costs& c, const Division&, const scenario::Strategy& s) const {
    const double micro = double(s.global_batch / (std::int64_t(s.data) * s.micro_batch));
    const double stage = layers * (c.layer + recompute(c, s)) / s.pipeline;
    double time = (micro + (s.pipeline - 1.0) / s.virtual_pipeline) * stage;
    const int width = s.data * s.context;
    if (width > 1) {
      const double reduce = layers * c.state / s.pipeline / bandwidth;
      time += reduce * (s.overlap_gradient_reduce ? 0.2 : 1.0);
      if (s.data_parallel != scenario::DataParallel::kDdp) time += reduce * (s.overlap_parameter_gather ? 0.1 : 0.5);
      if (s.data_parallel == scenario::DataParallel::kZero3)
        time += reduce * 0.1 * micro * (s.shard_group > 0 ? 0.5 : 1);
      if (s.data_parallel == scenario::DataParallel::kZero2) time += 0.01 * micro;
    }
    return time + (s.offload_optimizer ? 1.0 : 0.1);
  }
  [[nodiscard]] double memory(const Costs& c, const Division&, const scenario::Strategy& s) const {
    const double stage = double(layers) / s.pipeline;
    const double width = s.shard_group > 0 ? s.shard_group : s.data * s.context;
    const double sharded = [&](scenario::DataParallel from) {
      return s.data_parallel >= from ? width : 1.0;
    }(scenario::DataParallel::kZero1);
    double memory = stage * c.state * 3 / sharded * (s.offload_optimizer ? 0.1 : 1.0);
    memory += stage * c.state / (s.data_parallel >= scenario::DataParallel::kZero2 ? width : 1);
    memory += stage * c.state / (s.data_parallel >= scenario::DataParallel::kZero3 ? width : 1);
    return memory + activations(c, s);
  }
  [[nodiscard]] Floor floor(const Costs& c, const Division&, const scenario::Strategy& s) const {
    const double micro = double(s.global_batch / (std::int64_t(s.data) * s.micro_batch));
    return {micro * layers * (c.layer + recompute(c, s)) / s.pipeline * (1 - 1e-9), activations(c, s) * (1 - 1e-9)};
  }
  [[nodiscard]] Effects effects(const Costs&, const Division&) const { return {}; }
  [[nodiscard]] bool legal(const scenario::Strategy& s) const {
    if (std::int64_t(s.tensor) * s.pipeline * s.context * s.data != accelerators) return false;
    if (s.global_batch % (std::int64_t(s.data) * s.micro_batch) != 0) return false;
    return s.tensor <= 4 && s.pipeline * s.virtual_pipeline <= layers;
  }

 private:
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
    const double micro = double(s.global_batch / (std::int64_t(s.data) * s.micro_batch));
    const double flight = s.schedule == scenario::Schedule::kGpipe ? micro : std::min(micro, double(s.pipeline));
    const double kept = s.recompute == scenario::Recompute::kSelective ? 0.6 : 1 - 0.9 * recomputed(s);
    return flight * (1 + 0.1 * (s.virtual_pipeline - 1)) * kept * c.saved * layers / s.pipeline;
  }
};

}  // namespace headrace::plan
