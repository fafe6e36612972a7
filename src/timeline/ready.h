// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "timeline/graph.h"

namespace headrace::timeline {

/// The nodes that nothing holds back any longer, in the order in which that was found.
class Ready {
 public:
  Ready(const Graph& graph, std::vector<std::uint32_t>& pending, std::vector<Node>& stack)
      : graph_(graph), pending_(pending), stack_(stack) {
    pending_.resize(graph.size());
    stack_.clear();
    for (Node node = 0; node < graph.size(); ++node) {
      pending_[node] = graph.waits(node);
      if (pending_[node] == 0) stack_.push_back(node);
    }
  }

  [[nodiscard]] bool empty() const { return stack_.empty(); }

  Node pop() {
    const Node node = stack_.back();
    stack_.pop_back();
    return node;
  }

  /// Frees what waited for this node alone, after `touch`ing all that waited for it.
  template <typename Touch>
  void ended(Node node, Touch touch) {
    graph_.for_each_later(node, [&](Node later) {
      touch(later);
      if (--pending_[later] == 0) stack_.push_back(later);
    });
  }

 private:
  const Graph& graph_;
  std::vector<std::uint32_t>& pending_;
  std::vector<Node>& stack_;
};

/// The error of a graph of which only `ended` nodes could run.
tl::unexpected<base::Error> circle(const Graph& graph, std::size_t ended);

}  // namespace headrace::timeline
