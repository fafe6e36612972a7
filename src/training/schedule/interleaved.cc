// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "training/schedule/program.h"

namespace headrace::training {

namespace {

/// How many micro-batches go through one chunk before the next chunk's turn: the ranks' number, or as few more as leave
/// no smaller group at the end.
int group_size(int ranks, int micro_batches) {
  for (int size = ranks; size < micro_batches; ++size)
    if (micro_batches % size == 0 || micro_batches % size >= ranks) return size;
  return micro_batches;
}

/// (chunk, micro-batch) in the order in which every rank runs them forward.
std::vector<std::pair<int, int>> turns(int chunks, int micro_batches, int size) {
  std::vector<std::pair<int, int>> all;
  for (int first = 0; first < micro_batches; first += size)
    for (int chunk = 0; chunk < chunks; ++chunk)
      for (int i = first; i < std::min(first + size, micro_batches); ++i) all.emplace_back(chunk, i);
  return all;
}

}  // namespace

/// Rank r runs 2(p − 1 − r) + (v − 1)·group chunks forward before its first backward; backward goes through the chunks
/// in the opposite order. Source: Narayanan et al., arXiv 2104.04473, section 2.2; Megatron-Core pipeline_parallel
/// (facts).
Program interleaved(int ranks, int chunks, int micro_batches) {
  Program program = placed(scenario::Schedule::kInterleaved, ranks, chunks, micro_batches);
  const int size = group_size(ranks, micro_batches);
  const auto order = turns(chunks, micro_batches, size);
  const int all = int(order.size());
  for (int rank = 0; rank < ranks; ++rank) {
    auto& slots = program.orders[std::size_t(rank)];
    const int warm_up = std::min(all, 2 * (ranks - 1 - rank) + (chunks - 1) * size);
    for (int i = 0; i < all + warm_up; ++i) {
      if (i < all) slots.push_back(slot(SlotKind::kForward, order[std::size_t(i)].first, order[std::size_t(i)].second));
      if (i < warm_up) continue;
      const auto& [chunk, micro_batch] = order[std::size_t(i - warm_up)];
      slots.push_back(slot(SlotKind::kBackward, chunks - 1 - chunk, micro_batch));
    }
  }
  return program;
}

}  // namespace headrace::training
