// SPDX-License-Identifier: Apache-2.0
#include "plan/rank.h"

#include <algorithm>
#include <tuple>

namespace headrace::plan {
namespace {

double key(const Candidate& c, Objective objective) {
  switch (objective) {
    case Objective::kMemory: return c.memory;
    case Objective::kCost: return c.dollars_per_sequence;
    case Objective::kThroughput: break;
  }
  return seconds_per_sequence(c);
}

/// Parts that take more to set up and can fail in more ways than what they are an alternative to.
int intricacy(const scenario::Strategy& s) { return int(s.offload_optimizer) + int(s.shard_group > 0); }

}  // namespace

bool fields_before(const scenario::Strategy& a, const scenario::Strategy& b) {
  const auto fields = [](const scenario::Strategy& s) {
    return std::make_tuple(s.tensor, s.pipeline, s.virtual_pipeline, s.context, s.expert, s.expert_tensor,
                           s.micro_batch, s.global_batch, s.sequence_parallel, s.data_parallel, s.shard_group,
                           s.recompute, s.recompute_layers, s.schedule, s.overlap_gradient_reduce,
                           s.overlap_parameter_gather, s.overlap_tensor, s.offload_optimizer, s.data, s.context_kind);
  };
  return fields(a) < fields(b);
}

bool ranks_before(const Candidate& a, const Candidate& b, Objective objective) {
  const double key_a = key(a, objective), key_b = key(b, objective);
  if (key_a != key_b) return key_a < key_b;
  const double time_a = seconds_per_sequence(a), time_b = seconds_per_sequence(b);
  if (time_a != time_b) return time_a < time_b;
  const int intricate_a = intricacy(a.strategy), intricate_b = intricacy(b.strategy);
  if (intricate_a != intricate_b) return intricate_a < intricate_b;
  if (a.memory != b.memory) return a.memory < b.memory;
  if (a.machine != b.machine) return a.machine < b.machine;
  return fields_before(a.strategy, b.strategy);
}

void Best::offer(const Candidate& candidate) {
  const auto before = [this](const Candidate& a, const Candidate& b) { return ranks_before(a, b, objective_); };
  if (limit_ == 0) return;
  if (heap_.size() == limit_) {
    if (!before(candidate, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), before);
    heap_.pop_back();
  }
  heap_.push_back(candidate);
  std::push_heap(heap_.begin(), heap_.end(), before);
  if (heap_.size() == limit_) bar_ = key(heap_.front(), objective_);
}

std::vector<Candidate> Best::sorted() const {
  std::vector<Candidate> all = heap_;
  std::sort(all.begin(), all.end(),
            [this](const Candidate& a, const Candidate& b) { return ranks_before(a, b, objective_); });
  return all;
}

bool Front::dominates(double seconds, double memory) const {
  // The last point that is at least as fast is the smallest of them.
  const auto after = std::upper_bound(times_.begin(), times_.end(), seconds);
  if (after == times_.begin()) return false;
  const auto at = std::size_t(after - times_.begin() - 1);
  return memory_[at] < memory || (memory_[at] == memory && times_[at] < seconds);
}

void Front::offer(const Candidate& candidate) {
  const double seconds = seconds_per_sequence(candidate);
  if (dominates(seconds, candidate.memory)) return;
  auto at = std::size_t(std::lower_bound(times_.begin(), times_.end(), seconds) - times_.begin());
  if (at < points_.size() && times_[at] == seconds && memory_[at] == candidate.memory) {
    if (ranks_before(candidate, points_[at], Objective::kThroughput)) points_[at] = candidate;
    return;
  }
  std::size_t end = at;
  while (end < points_.size() && memory_[end] >= candidate.memory) ++end;
  const auto erase = [&](auto& list) {
    list.erase(list.begin() + std::ptrdiff_t(at), list.begin() + std::ptrdiff_t(end));
  };
  erase(points_), erase(times_), erase(memory_);
  const auto place = std::ptrdiff_t(at);
  points_.insert(points_.begin() + place, candidate);
  times_.insert(times_.begin() + place, seconds);
  memory_.insert(memory_.begin() + place, candidate.memory);
}

}  // namespace headrace::plan
