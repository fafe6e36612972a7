// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/result.h"
#include "timeline/graph.h"

namespace headrace::timeline {

/// The error of a graph that came to a halt with these nodes at the head of its lanes: how many operations could not
/// run, and the tags of some that wait for one another, each for the one behind the arrow.
tl::unexpected<base::Error> circle(const Graph& graph, std::span<const Node> heads);

}  // namespace headrace::timeline
