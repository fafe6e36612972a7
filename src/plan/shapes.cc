// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "plan/divisors.h"
#include "plan/space.h"

namespace headrace::plan {
namespace {

using training::Shape;

/// The pinned values, or the divisors of `number` where the choice is open.
std::vector<int> degrees(const std::vector<int>& pinned, std::int64_t number) {
  return pinned.empty() ? divisors(number) : degrees_given(pinned);
}

/// An open context degree leaves each rank this many tokens of a sequence, or does not divide it at all: below it,
/// attention is too short to hide a ring behind, and tensor parallel divides the same work.
constexpr std::int64_t kLeastTokensPerContextRank = 512;

std::vector<int> contexts(const Setting& setting) {
  if (!setting.space.context.empty()) return degrees_given(setting.space.context);
  std::vector<int> all;
  for (const int c : divisors(std::gcd(std::int64_t(setting.accelerators), setting.job.sequence))) {
    if (c == 1 || setting.job.sequence / c >= kLeastTokensPerContextRank) all.push_back(c);
  }
  return all;
}

/// An open expert-tensor degree: experts whole, or divided as the other layers are.
std::vector<int> expert_tensors(const Space& space, std::int64_t experts, int tensor) {
  if (!space.expert_tensor.empty()) return degrees_given(space.expert_tensor);
  return experts > 0 && tensor > 1 ? std::vector<int>{1, tensor} : std::vector<int>{1};
}

std::int64_t most_experts(const training::Job& job) {
  std::int64_t experts = 0;
  for (const auto& kind : job.model.kinds) experts = std::max(experts, kind.feed_forward.experts);
  return experts;
}

/// Open micro-batches: the divisors of what a rank may be given, and powers of two where the global batch is open.
std::vector<int> micro_batches(const Setting& setting) {
  const Space& space = setting.space;
  if (!space.micro_batch.empty()) return degrees_given(space.micro_batch);
  std::vector<int> all;
  for (const std::int64_t batch : space.global_batch) {
    for (const int b : divisors(batch)) all.push_back(b);
  }
  if (space.global_batch.empty()) {
    for (const int data : divisors(setting.accelerators)) {
      for (const int b : divisors(space.global_batch_limit / data)) all.push_back(b);
    }
    for (std::int64_t b = 1; b <= space.global_batch_limit; b *= 2) all.push_back(int(b));
  }
  return sorted_once(all);
}

std::vector<bool> flags(const std::vector<bool>& pinned, bool applies) {
  if (!applies) return {false};
  if (pinned.empty()) return {false, true};
  std::vector<bool> once;
  for (const bool value : {false, true}) {
    if (std::find(pinned.begin(), pinned.end(), value) != pinned.end()) once.push_back(value);
  }
  return once;
}

/// The ways of context parallelism: as given, or all that the software has; none differs without it.
std::vector<scenario::ContextKind> context_kinds(const Setting& setting, int context) {
  if (context == 1) return {scenario::ContextKind::kRing};
  return setting.space.context_kind.empty() ? setting.context_kinds : setting.space.context_kind;
}

/// Adds the shapes that differ in their flags only.
void add_flags(const Setting& setting, Shape shape, std::vector<Shape>& all) {
  for (const bool sequence : flags(setting.space.sequence_parallel, shape.tensor > 1)) {
    shape.sequence_parallel = sequence;
    // Megatron-Core and TransformerEngine overlap the gathers and scatters of sequence parallelism, not plain
    // all-reduces.
    // They write to the memory of the other ranks, which must share a scale-up link.
    const bool can_overlap = sequence && setting.can_overlap_tensor && shape.tensor <= setting.domain;
    for (const bool overlap : flags(setting.space.overlap_tensor, can_overlap)) {
      shape.overlap_tensor = overlap;
      all.push_back(shape);
    }
  }
}

}  // namespace

std::vector<Shape> shapes(const Setting& setting) {
  const Space& space = setting.space;
  const std::int64_t n = setting.accelerators;
  const std::int64_t experts = most_experts(setting.job);
  const std::vector<int> batches = micro_batches(setting);
  std::vector<Shape> all;
  Shape shape;
  for (const int tensor : degrees(space.tensor, n)) {
    shape.tensor = tensor;
    for (const int context : contexts(setting)) {
      if (n % (std::int64_t(tensor) * context) != 0) continue;
      shape.context = context;
      for (const int expert : degrees(space.expert, experts > 0 ? std::gcd(n, experts) : 1)) {
        shape.expert = expert;
        for (const int expert_tensor : expert_tensors(space, experts, tensor)) {
          if (n % (std::int64_t(expert) * expert_tensor) != 0) continue;
          shape.expert_tensor = expert_tensor;
          for (const int batch : batches) {
            shape.micro_batch = batch;
            for (const auto kind : context_kinds(setting, context)) {
              shape.context_kind = kind;
              add_flags(setting, shape, all);
            }
          }
        }
      }
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace headrace::plan
