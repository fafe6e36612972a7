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

  std::vector<std::uint32_t> pending;  ///< scratch: what each node still waits for
  std::vector<Node> ready;             ///< scratch
};

/// Every operation at full speed, whatever runs beside it: each starts when the last of what it waits for ends. Error
/// when operations wait for one another in a circle.
base::Result<void> longest_path(const Graph& graph, Times& times);

/// Operations that overlap on one place share its resources (share_resources); rates are constant between two events.
/// Never shorter than longest_path, and equal to it where no demands collide. The same error.
base::Result<void> simulate(const Graph& graph, Times& times);

}  // namespace headrace::timeline
