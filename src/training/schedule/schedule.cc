// SPDX-License-Identifier: Apache-2.0
#include "training/schedule/schedule.h"

namespace headrace::training {

Program program_of(scenario::Schedule schedule, int ranks, int chunks, int micro_batches) {
  using scenario::Schedule;
  switch (schedule) {
    case Schedule::kGpipe: return gpipe(ranks, micro_batches);
    case Schedule::kInterleaved: return interleaved(ranks, chunks, micro_batches);
    case Schedule::kZeroBubbleH1: return zero_bubble_h1(ranks, micro_batches);
    case Schedule::kZeroBubbleH2: return zero_bubble_h2(ranks, micro_batches);
    case Schedule::kZbv: return zbv(ranks, micro_batches);
    case Schedule::kDualPipe: return dualpipe(ranks, micro_batches);
    case Schedule::k1f1b: break;
  }
  return chunks > 1 ? interleaved(ranks, chunks, micro_batches) : one_f_one_b(ranks, micro_batches);
}

int stage_of(scenario::Schedule schedule, int ranks, int rank, int chunk) {
  using scenario::Schedule;
  if (schedule == Schedule::kZbv && chunk == 1) return 2 * ranks - 1 - rank;
  if (schedule == Schedule::kDualPipe && chunk == 1) return ranks - 1 - rank;
  return chunk * ranks + rank;
}

}  // namespace headrace::training
