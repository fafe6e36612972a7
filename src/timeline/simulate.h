// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "timeline/graph.h"

namespace headrace::timeline {

/// When each node of a graph starts and ends, in seconds from the first; storage is used again.
struct Times {
  std::vector<double> start, end;
  double makespan = 0;

  // Scratch of the simulations.
  std::vector<std::uint32_t> pending;  ///< for how many each node still waits, the one before it on its lane aside
  std::vector<Node> heads;             ///< of each lane the first that has not ended
  std::vector<std::uint32_t> ready;

  /// Everything waits.
  base::Result<void> prepare(const Graph& graph);
  [[nodiscard]] bool all_ran() const;
};

/// Every operation at full speed, whatever runs beside it: each starts when the last of what it waits for ends. Error
/// when operations wait for one another in a circle, or one has no time.
base::Result<void> longest_path(const Graph& graph, Times& times);

/// Operations that overlap on one place share its resources (share_resources); rates are constant between two events.
/// Never shorter than longest_path, and equal to it where no demands collide. The same errors.
base::Result<void> simulate(const Graph& graph, Times& times);

}  // namespace headrace::timeline
