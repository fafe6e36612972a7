// SPDX-License-Identifier: Apache-2.0
#include "timeline/circle.h"

#include <algorithm>
#include <string>
#include <vector>

namespace headrace::timeline {

namespace {

constexpr std::size_t kMostNamed = 12;

/// For the head of each lane, a node that it waits for; `halted` counts all that could not run.
std::vector<Node> awaited(const Graph& graph, std::span<const Node> heads, std::size_t& halted) {
  std::vector<Node> awaited(heads.size(), Graph::kNone);
  for (const Node head : heads)
    for (Node node = head; node != Graph::kNone; node = graph.next(node)) {
      ++halted;
      graph.for_each_later(node, [&](Node later) {
        Node& first = awaited[graph.lane(later)];
        if (later == heads[graph.lane(later)]) first = std::min(first, node);
      });
    }
  return awaited;
}

}  // namespace

tl::unexpected<base::Error> circle(const Graph& graph, std::span<const Node> heads) {
  std::size_t halted = 0;
  const std::vector<Node> waits_for = awaited(graph, heads, halted);
  // From a head to what it waits for, then to the head of that one's lane, and so on, until a head comes again.
  std::vector<Node> walk;
  Node node = *std::min_element(heads.begin(), heads.end());
  while (std::find(walk.begin(), walk.end(), node) == walk.end()) {
    walk.push_back(node);
    const Node blocker = waits_for[graph.lane(node)];
    node = heads[graph.lane(blocker)];
    if (blocker != node) walk.push_back(blocker);
  }
  walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), node));
  std::string named;
  for (std::size_t i = 0; i < std::min(walk.size(), kMostNamed); ++i)
    named += std::to_string(graph.tag(walk[i])) + " → ";
  named += walk.size() > kMostNamed ? "…" : std::to_string(graph.tag(node));
  return tl::unexpected<base::Error>(
      base::Error{base::ErrorKind::kInternal, {"timeline.circle", {std::to_string(halted), named}}, {}, std::nullopt});
}

}  // namespace headrace::timeline
