// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
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

  /// Room for so many nodes and after()s, so that adding them allocates nothing.
  void reserve(std::size_t nodes, std::size_t afters);

  /// The class of operations with this demand; equal demands share one. At most kMostDemands.
  DemandId demand(const Demand& demand);

  /// Appends an operation that takes `seconds` at full speed, 0 for a mere event. `tag` is the caller's, to know it
  /// again: errors name it.
  Node add(int place, int stream, double seconds, DemandId demand, std::uint32_t tag = 0) {
    const auto node = Node(nodes_.size());
    const auto lane = std::uint32_t(place * kMostStreams + stream);
    if (!(seconds >= 0 && seconds <= kLongest) || demand >= demands_.size()) fault_ = fault_.value_or(tag);
    nodes_.push_back({seconds, lane << 4 | (demand & 15U), kNone, kNone, tag});
    waits_.push_back(0);
    Lane& ends = lanes_[lane];
    (ends.last == kNone ? ends.first : nodes_[ends.last].next) = node;
    ends.last = node;
    return node;
  }

  /// `later` starts only after `earlier` has ended; both may be of any place and stream.
  void after(Node later, Node earlier) {
    edges_.push_back({later, nodes_[earlier].edges});
    nodes_[earlier].edges = std::uint32_t(edges_.size() - 1);
    ++waits_[later];
  }

  [[nodiscard]] int places() const { return places_; }
  [[nodiscard]] int streams() const { return streams_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] double seconds(Node node) const { return nodes_[node].seconds; }
  [[nodiscard]] int place(Node node) const { return int(lane(node)) / kMostStreams; }
  [[nodiscard]] int stream(Node node) const { return int(lane(node)) % kMostStreams; }
  [[nodiscard]] std::uint32_t tag(Node node) const { return nodes_[node].tag; }
  [[nodiscard]] DemandId demand_of(Node node) const { return DemandId(nodes_[node].lane_and_demand & 15U); }
  [[nodiscard]] const std::vector<Demand>& demands() const { return demands_; }

  /// Of which stream of all places: place · kMostStreams + stream.
  [[nodiscard]] std::uint32_t lane(Node node) const { return nodes_[node].lane_and_demand >> 4; }
  [[nodiscard]] std::uint32_t lanes() const { return std::uint32_t(lanes_.size()); }
  /// The first node of a lane, and the one behind a node on its lane; or kNone.
  [[nodiscard]] Node first(std::uint32_t lane) const { return lanes_[lane].first; }
  [[nodiscard]] Node next(Node node) const { return nodes_[node].next; }

  /// Calls `visit(Node)` for all that wait for this node by after().
  template <typename Visit>
  void for_each_later(Node node, Visit visit) const {
    for (std::uint32_t edge = nodes_[node].edges; edge != kNone; edge = edges_[edge].next) visit(edges_[edge].later);
  }
  /// How many after()s hold each node back.
  [[nodiscard]] const std::vector<std::uint32_t>& waits() const { return waits_; }

  /// An internal error when an operation's time is no number of seconds or its demand unknown.
  [[nodiscard]] base::Result<void> check() const;

 private:
  static constexpr double kLongest = 1e300;

  struct Item {
    double seconds = 0;
    std::uint32_t lane_and_demand = 0;  ///< the demand in the lowest four bits
    Node next = kNone;                  ///< of its lane
    std::uint32_t edges = kNone;        ///< first of the list of those that wait for it
    std::uint32_t tag = 0;
  };
  struct Edge {
    Node later;
    std::uint32_t next;
  };
  struct Lane {
    Node first = kNone, last = kNone;
  };

  int places_ = 0, streams_ = 0;
  std::vector<Demand> demands_;
  std::vector<Item> nodes_;
  std::vector<std::uint32_t> waits_;
  std::vector<Edge> edges_;
  std::vector<Lane> lanes_;
  std::optional<std::uint32_t> fault_;  ///< tag of the first operation that cannot be
};

}  // namespace headrace::timeline
