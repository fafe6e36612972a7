// SPDX-License-Identifier: Apache-2.0
#include "timeline/simulate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "timeline/earliest.h"
#include "timeline/rates.h"
#include "timeline/ready.h"

namespace headrace::timeline {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What runs on one place, and when it would end if nothing else happened there.
struct PlaceState {
  std::array<Node, Graph::kMostStreams> node{};
  std::array<double, Graph::kMostStreams> finish{}, rate{};
  Activity activity = 0;  ///< for which `rate` and `finish` hold
  Activity next = 0;      ///< after what happened at this moment
  bool touched = false;
};

class Simulation {
 public:
  Simulation(const Graph& graph, Times& times)
      : graph_(graph),
        times_(times),
        ready_(graph, times.pending, times.ready),
        rates_(graph.demands()),
        places_(std::size_t(graph.places())),
        earliest_(std::size_t(graph.places())) {}

  /// The number of nodes that ended.
  std::size_t operator()() {
    begin_all();
    settle();
    while (earliest_.time() < kNever) {
      now_ = earliest_.time();
      end_on(earliest_.place());
      begin_all();
      settle();
    }
    times_.makespan = now_;
    return ended_;
  }

 private:
  void touch(std::size_t place) {
    if (places_[place].touched) return;
    places_[place].touched = true;
    touched_.push_back(place);
  }

  void end(Node node) {
    times_.end[node] = now_;
    ready_.ended(node, [](Node) {});
    ++ended_;
  }

  void begin_all() {
    while (!ready_.empty()) {
      const Node node = ready_.pop();
      times_.start[node] = now_;
      if (graph_.seconds(node) > 0)
        begin(node);
      else
        end(node);
    }
  }

  void begin(Node node) {
    const auto place = std::size_t(graph_.place(node));
    const auto stream = std::size_t(graph_.stream(node));
    PlaceState& state = places_[place];
    state.node[stream] = node;
    state.finish[stream] = -1;  // until settle()
    state.next |= (graph_.demand_of(node) + 1U) << (4 * stream);
    touch(place);
  }

  void end_on(std::size_t place) {
    PlaceState& state = places_[place];
    touch(place);
    for (Activity left = state.activity, stream = 0; left != 0; left >>= 4, ++stream) {
      if ((left & 15U) == 0 || state.finish[stream] > now_) continue;
      state.next &= ~(Activity{15} << (4 * stream));
      end(state.node[stream]);
    }
  }

  /// New rates where the activity changed, and the next end of every place that was touched.
  void settle() {
    for (const std::size_t place : touched_) {
      PlaceState& state = places_[place];
      if (state.next != state.activity) change_rates(state);
      double first = kNever;
      for (Activity left = state.next, stream = 0; left != 0; left >>= 4, ++stream) {
        if ((left & 15U) == 0) continue;
        double& finish = state.finish[stream];
        if (finish < 0) finish = now_ + graph_.seconds(state.node[stream]) / state.rate[stream];
        first = std::min(first, finish);
      }
      state.activity = state.next;
      state.touched = false;
      earliest_.set(place, first);
    }
    touched_.clear();
  }

  void change_rates(PlaceState& state) {
    const auto& rates = rates_.of(state.next);
    for (Activity left = state.next, stream = 0; left != 0; left >>= 4, ++stream) {
      if ((left & 15U) == 0) continue;
      double& finish = state.finish[stream];
      if (finish >= 0 && rates[stream] != state.rate[stream])
        finish = now_ + (finish - now_) * state.rate[stream] / rates[stream];
      state.rate[stream] = rates[stream];
    }
  }

  const Graph& graph_;
  Times& times_;
  Ready ready_;
  Rates rates_;
  std::vector<PlaceState> places_;
  Earliest earliest_;
  std::vector<std::size_t> touched_;
  double now_ = 0;
  std::size_t ended_ = 0;
};

}  // namespace

base::Result<void> simulate(const Graph& graph, Times& times) {
  times.start.resize(graph.size());
  times.end.resize(graph.size());
  const std::size_t ended = Simulation(graph, times)();
  if (ended < graph.size()) return circle(graph, ended);
  return {};
}

}  // namespace headrace::timeline
