// SPDX-License-Identifier: Apache-2.0
#include "timeline/graph.h"

#include <algorithm>
#include <string>

namespace headrace::timeline {

void Graph::clear(int places, int streams) {
  places_ = places;
  streams_ = streams;
  demands_.clear();
  nodes_.clear();
  waits_.clear();
  edges_.clear();
  lanes_.assign(std::size_t(places) * kMostStreams, {});
  fault_.reset();
}

void Graph::reserve(std::size_t nodes, std::size_t afters) {
  nodes_.reserve(nodes);
  waits_.reserve(nodes);
  edges_.reserve(afters);
}

DemandId Graph::demand(const Demand& demand) {
  const auto found = std::find(demands_.begin(), demands_.end(), demand);
  const auto id = DemandId(found - demands_.begin());
  if (found == demands_.end() && id < kMostDemands) demands_.push_back(demand);
  return id;
}

base::Result<void> Graph::check() const {
  if (!fault_) return {};
  return tl::unexpected<base::Error>(
      base::Error{base::ErrorKind::kInternal, {"timeline.no_operation", {std::to_string(*fault_)}}, {}, std::nullopt});
}

}  // namespace headrace::timeline
