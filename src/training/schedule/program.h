// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "training/schedule/schedule.h"

namespace headrace::training {

/// A program without slots, placed as its schedule does.
inline Program placed(scenario::Schedule schedule, int ranks, int chunks, int micro_batches) {
  Program program{.ranks = ranks, .chunks = chunks, .micro_batches = micro_batches, .stages = ranks * chunks};
  program.orders.resize(std::size_t(ranks));
  program.stage_of.resize(std::size_t(ranks) * std::size_t(chunks));
  for (int rank = 0; rank < ranks; ++rank)
    for (int chunk = 0; chunk < chunks; ++chunk)
      program.stage_of[std::size_t(rank) * std::size_t(chunks) + std::size_t(chunk)] =
          stage_of(schedule, ranks, rank, chunk);
  return program;
}

inline Slot slot(SlotKind kind, int chunk, int micro_batch) {
  return {.kind = kind, .chunk = std::int16_t(chunk), .micro_batch = micro_batch};
}

}  // namespace headrace::training
