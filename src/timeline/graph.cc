// SPDX-License-Identifier: Apache-2.0
#include "timeline/graph.h"

#include <algorithm>

namespace headrace::timeline {

void Graph::clear(int places, int streams) {
  places_ = places;
  streams_ = streams;
  demands_.clear();
  nodes_.clear();
  waits_.clear();
  tags_.clear();
  edges_.clear();
  last_.assign(std::size_t(places) * std::size_t(streams), kNone);
}

DemandId Graph::demand(const Demand& demand) {
  const auto found = std::find(demands_.begin(), demands_.end(), demand);
  if (found != demands_.end()) return DemandId(found - demands_.begin());
  demands_.push_back(demand);
  return DemandId(demands_.size() - 1);
}

Node Graph::add(int place, int stream, double seconds, DemandId demand, std::uint32_t tag) {
  const auto node = Node(nodes_.size());
  const auto lane = std::uint32_t(place * streams_ + stream);
  nodes_.push_back({seconds, lane, kNone, kNone, demand});
  tags_.push_back(tag);
  Node& last = last_[lane];
  waits_.push_back(last == kNone ? 0 : 1);
  if (last != kNone) nodes_[last].next = node;
  last = node;
  return node;
}

void Graph::after(Node later, Node earlier) {
  edges_.push_back({later, nodes_[earlier].edges});
  nodes_[earlier].edges = std::uint32_t(edges_.size() - 1);
  ++waits_[later];
}

}  // namespace headrace::timeline
