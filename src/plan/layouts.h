// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/rank.h"

namespace headrace::plan {

/// How many times the choices wanted a search keeps, so that as many layouts are among them.
constexpr int kVariantsKept = 20;

/// The best of the candidates that share the degrees, the kind of data parallelism, the batches and whether they
/// recompute in full on one machine.
struct Layout {
  Candidate best;
  int variants = 0;  ///< other candidates of this layout among those given
};

/// Whether two candidates differ in details only: virtual pipeline, schedule, sequence parallelism, overlaps, shard
/// group, recomputed layers, offload.
bool same_layout(const Candidate& a, const Candidate& b);

/// At most `most` layouts of candidates that are given best first, in their order.
std::vector<Layout> layouts(const std::vector<Candidate>& ranked, int most);

}  // namespace headrace::plan
