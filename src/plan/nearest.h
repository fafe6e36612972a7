// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "plan/search.h"

namespace headrace::plan {

enum class ChangeKind {
  kMicroBatch,         ///< smaller micro-batches than those given
  kRecompute,          ///< recompute more
  kShardStates,        ///< divide the states over the data-parallel ranks
  kOffload,            ///< optimizer states to host memory
  kDegrees,            ///< other parallel degrees than those given
  kStrategy,           ///< all of the strategy open
  kEightBitOptimizer,  ///< moments in 8 bits
  kLora,
  kQlora,
  kMoreAccelerators,
  kOtherMachine,  ///< an accelerator with more memory
};

/// One change after which something fits, found by searching with it.
struct Change {
  ChangeKind kind = ChangeKind::kStrategy;
  base::Message what;    ///< a sentence with its arguments
  std::string set;       ///< "path=value" of the scenario that makes the change; empty when it takes more than one
  Candidate candidate;   ///< the best that then fits; Candidate::machine indexes `others` for kOtherMachine
  int accelerators = 0;  ///< of the machine it runs on
};

/// A machine to turn to, by the name that the scenario's platform would take.
struct OtherMachine {
  std::string platform;
  const training::Machine* machine = nullptr;
};

/// The changes that make something fit when nothing does, the least first. Searches each alone.
std::vector<Change> nearest_changes(const training::Job& job, const training::Machine& machine, const Space& space,
                                    const Options& options, const std::vector<OtherMachine>& others);

}  // namespace headrace::plan
