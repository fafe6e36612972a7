// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/sharing.h"

namespace headrace::timeline {

using Node = std::uint32_t;
using DemandId = std::uint8_t;

/// Operations on the streams of places. A place is one accelerator; each of its streams runs its nodes one after the
/// other in the order in which they were added, as soon as what they wait for has ended.
class Graph {
 public:
  static constexpr int kMostStreams = 8;
  static constexpr int kMostDemands = 15;
  static constexpr Node kNone = 0xffffffff;

  Graph(int places, int streams) { clear(places, streams); }

  /// Empties the graph, keeping its storage. At most kMostStreams streams.
  void clear(int places, int streams);

  /// The class of operations with this demand; equal demands share one. At most kMostDemands.
  DemandId demand(const Demand& demand);

  /// Appends an operation that takes `seconds` at full speed. `tag` is the caller's, to know it again.
  Node add(int place, int stream, double seconds, DemandId demand, std::uint32_t tag = 0);

  /// `later` starts only after `earlier` has ended; both may be of any place and stream.
  void after(Node later, Node earlier);

  [[nodiscard]] int places() const { return places_; }
  [[nodiscard]] int streams() const { return streams_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] double seconds(Node node) const { return nodes_[node].seconds; }
  [[nodiscard]] int place(Node node) const { return int(nodes_[node].lane) / streams_; }
  [[nodiscard]] int stream(Node node) const { return int(nodes_[node].lane) % streams_; }
  [[nodiscard]] std::uint32_t tag(Node node) const { return tags_[node]; }
  [[nodiscard]] DemandId demand_of(Node node) const { return nodes_[node].demand; }
  [[nodiscard]] const std::vector<Demand>& demands() const { return demands_; }

  /// Calls `visit(Node)` for all that wait for this node by after(), and for the next of its stream.
  template <typename Visit>
  void for_each_later(Node node, Visit visit) const {
    if (nodes_[node].next != kNone) visit(nodes_[node].next);
    for (std::uint32_t edge = nodes_[node].edges; edge != kNone; edge = edges_[edge].next) visit(edges_[edge].later);
  }
  /// How many nodes must end before this one starts, the one before it on its stream among them.
  [[nodiscard]] std::uint32_t waits(Node node) const { return waits_[node]; }

 private:
  struct Item {
    double seconds = 0;
    std::uint32_t lane = 0;       ///< place · streams + stream
    Node next = kNone;            ///< of its stream
    std::uint32_t edges = kNone;  ///< first of the list of those that wait for it
    DemandId demand = 0;
  };
  struct Edge {
    Node later;
    std::uint32_t next;
  };

  int places_ = 0, streams_ = 0;
  std::vector<Demand> demands_;
  std::vector<Item> nodes_;
  std::vector<std::uint32_t> waits_, tags_;
  std::vector<Edge> edges_;
  std::vector<Node> last_;  ///< of each lane
};

}  // namespace headrace::timeline
