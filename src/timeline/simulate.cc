// SPDX-License-Identifier: Apache-2.0
#include "timeline/simulate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "timeline/circle.h"
#include "timeline/earliest.h"
#include "timeline/rates.h"

namespace headrace::timeline {

namespace {

constexpr std::uint32_t kStreams = Graph::kMostStreams;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// What runs on one place, and when each stream would be done if nothing else happened there: never, when it idles. Few
/// and always the same number, so that processors need not guess how many run.
struct PlaceState {
  PlaceState() {
    finish.fill(kNever);
    rate.fill(1);
  }
  Rates::PerStream finish, rate;
  Activity activity = 0;  ///< for which `rate` holds
  Activity next = 0;      ///< after what happened at this moment
  bool touched = false;
  bool began = false;  ///< something that still goes at full speed
};

class Simulation {
 public:
  Simulation(const Graph& graph, Times& times)
      : graph_(graph),
        times_(times),
        rates_(graph.demands()),
        places_(std::size_t(graph.places())),
        used_(std::uint32_t(graph.streams())),
        earliest_(std::uint32_t(graph.places())) {}

  void operator()() {
    for (std::uint32_t lane = 0; lane < graph_.lanes(); ++lane) {
      const Node head = times_.heads[lane];
      if (head != Graph::kNone && times_.pending[head] == 0) times_.ready.push_back(lane);
    }
    begin_all();
    settle();
    while (earliest_.time() < kNever) {
      now_ = earliest_.time();
      // All that ends at this moment, wherever it is, before anything begins: no order among them can be seen.
      do end_on(earliest_.place());
      while (earliest_.time() == now_);
      begin_all();
      settle();
    }
    times_.makespan = now_;
  }

 private:
  void touch(std::uint32_t place) {
    if (places_[place].touched) return;
    places_[place].touched = true;
    touched_.push_back(place);
  }

  /// The head of a lane is over; the next takes its place.
  void end(std::uint32_t lane) {
    const Node node = times_.heads[lane];
    times_.end[node] = now_;
    const Node next = graph_.next(node);
    times_.heads[lane] = next;
    if (next != Graph::kNone && times_.pending[next] == 0) times_.ready.push_back(lane);
    graph_.for_each_later(node, [&](Node later) {
      const std::uint32_t freed = graph_.lane(later);
      if (--times_.pending[later] == 0 && times_.heads[freed] == later) times_.ready.push_back(freed);
    });
  }

  void begin_all() {
    while (!times_.ready.empty()) {
      const std::uint32_t lane = times_.ready.back();
      times_.ready.pop_back();
      const Node node = times_.heads[lane];
      times_.start[node] = now_;
      if (graph_.seconds(node) > 0)
        begin(lane, node);
      else
        end(lane);
    }
  }

  void begin(std::uint32_t lane, Node node) {
    const std::uint32_t place = lane / kStreams, stream = lane % kStreams;
    PlaceState& state = places_[place];
    state.finish[stream] = now_ + graph_.seconds(node);
    state.rate[stream] = 1;  // until settle()
    state.next |= (graph_.demand_of(node) + 1U) << (4 * stream);
    state.began = true;
    touch(place);
  }

  void end_on(std::uint32_t place) {
    PlaceState& state = places_[place];
    touch(place);
    for (std::uint32_t stream = 0; stream < used_; ++stream) {
      if (state.finish[stream] > now_) continue;
      state.finish[stream] = kNever;
      state.next &= ~(Activity{15} << (4 * stream));
      end(place * kStreams + stream);
    }
    earliest_.set(place, kNever);  // until settle()
  }

  /// New rates where the activity changed, and the next end of every place that was touched.
  void settle() {
    for (const std::uint32_t place : touched_) {
      PlaceState& state = places_[place];
      if (state.began || state.next != state.activity) change_rates(state);
      state.began = false;
      state.touched = false;
      double first = state.finish[0];
      for (std::uint32_t stream = 1; stream < used_; ++stream) first = std::min(first, state.finish[stream]);
      earliest_.set(place, first);
    }
    touched_.clear();
  }

  void change_rates(PlaceState& state) {
    const Rates::PerStream& rates = rates_.of(state.next);
    for (std::uint32_t stream = 0; stream < used_; ++stream) {
      const double slowed = now_ + (state.finish[stream] - now_) * state.rate[stream] / rates[stream];
      state.finish[stream] = rates[stream] == state.rate[stream] ? state.finish[stream] : slowed;
    }
    state.rate = rates;
    state.activity = state.next;
  }

  const Graph& graph_;
  Times& times_;
  Rates rates_;
  std::vector<PlaceState> places_;
  std::uint32_t used_;  ///< streams of a place
  Earliest earliest_;
  std::vector<std::uint32_t> touched_;
  double now_ = 0;
};

}  // namespace

base::Result<void> simulate(const Graph& graph, Times& times) {
  CHECK_OK(times.prepare(graph));
  Simulation(graph, times)();
  if (!times.all_ran()) return circle(graph, times.heads);
  return {};
}

}  // namespace headrace::timeline
