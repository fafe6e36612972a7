// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "timeline/simulate.h"

using namespace headrace;

namespace {

/// Bytes as small numbers; zeros behind the end.
struct Bytes {
  const std::uint8_t* data;
  std::size_t size;

  int next(int below) {
    if (size == 0) return 0;
    --size;
    return *data++ % below;
  }
};

timeline::Graph graph_of(Bytes bytes) {
  timeline::Graph graph(1 + bytes.next(8), 1 + bytes.next(timeline::Graph::kMostStreams));
  const int demands = 1 + bytes.next(timeline::Graph::kMostDemands);
  for (int i = 0; i < demands; ++i) {
    timeline::Demand demand;
    for (double& share : demand.share) share = bytes.next(21) / 20.0;
    graph.demand(demand);
  }
  while (bytes.size > 0) {
    const int place = bytes.next(graph.places()), stream = bytes.next(graph.streams());
    const auto demand = timeline::DemandId(bytes.next(int(graph.demands().size())));
    const auto node = graph.add(place, stream, bytes.next(32) / 16.0, demand, std::uint32_t(graph.size()));
    // Mostly for something before it; forwards, and to itself, as well.
    for (int waits = bytes.next(3); waits > 0; --waits) {
      const auto other = timeline::Node(bytes.next(256)) % timeline::Node(graph.size());
      if (bytes.next(16) == 0)
        graph.after(other, node);
      else
        graph.after(node, other);
    }
  }
  return graph;
}

}  // namespace

/// Event graphs of any shape: both simulations end, agree on what cannot run, and sharing delays but never hastens.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const timeline::Graph graph = graph_of({data, size});
  timeline::Times path, shared;
  const auto walked = timeline::longest_path(graph, path);
  const auto simulated = timeline::simulate(graph, shared);
  fuzz::require(bool(walked) == bool(simulated), "both find the circle, or none");
  if (!walked) {
    fuzz::require(walked.error().what.id == "timeline.circle", "what cannot run waits for itself");
    fuzz::require(walked.error().what == simulated.error().what, "both name the same circle");
    return 0;
  }
  for (timeline::Node node = 0; node < graph.size(); ++node) {
    fuzz::require(shared.start[node] >= path.start[node] - 1e-9, "nothing begins before the longest path lets it");
    fuzz::require(shared.end[node] - shared.start[node] >= graph.seconds(node) - 1e-9, "nothing is faster than alone");
    fuzz::require(shared.end[node] <= shared.makespan, "nothing ends after the end");
  }
  return 0;
}
