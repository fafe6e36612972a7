// SPDX-License-Identifier: Apache-2.0
#include "timeline/simulate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace headrace::timeline {
namespace {

const Demand kProduct{{1, 0, 0, 0, 0}};
const Demand kTransfer{{0.25, 0, 1, 0, 0}};
const Demand kNetworkTransfer{{0.1, 0, 0, 1, 0}};

Times after_simulate(const Graph& graph) {
  Times times;
  EXPECT_TRUE(simulate(graph, times));
  return times;
}

Times after_longest_path(const Graph& graph) {
  Times times;
  EXPECT_TRUE(longest_path(graph, times));
  return times;
}

TEST(Timeline, AStreamRunsItsNodesInOrder) {
  Graph graph(1, 1);
  const auto demand = graph.demand(kProduct);
  const Node a = graph.add(0, 0, 2, demand), b = graph.add(0, 0, 3, demand);
  const Times times = after_longest_path(graph);
  EXPECT_EQ(times.start[a], 0);
  EXPECT_EQ(times.start[b], 2);
  EXPECT_EQ(times.makespan, 5);
}

TEST(Timeline, WaitsAcrossPlaces) {
  // Place 0 computes 2 s and sends for 1 s; place 1 may start at 3 and is done at 7.
  Graph graph(2, 2);
  const auto product = graph.demand(kProduct), transfer = graph.demand(kTransfer);
  const Node work = graph.add(0, 0, 2, product), send = graph.add(0, 1, 1, transfer),
             next = graph.add(1, 0, 4, product);
  graph.after(send, work);
  graph.after(next, send);
  for (const Times& times : {after_longest_path(graph), after_simulate(graph)}) {
    EXPECT_EQ(times.start[send], 2);
    EXPECT_EQ(times.start[next], 3);
    EXPECT_EQ(times.makespan, 7);
  }
}

TEST(Timeline, SlowsWhatOverlapsAndOnlyThen) {
  // A transfer of 4 s takes a quarter of the multiprocessors from a product of 6 s: by second 4 the product has done
  // 3 s of its work; the other 3 run alone. 7 s.
  Graph graph(1, 2);
  const Node product = graph.add(0, 0, 6, graph.demand(kProduct));
  const Node transfer = graph.add(0, 1, 4, graph.demand(kTransfer));
  const Times times = after_simulate(graph);
  EXPECT_DOUBLE_EQ(times.end[transfer], 4);
  EXPECT_DOUBLE_EQ(times.end[product], 7);
  EXPECT_DOUBLE_EQ(after_longest_path(graph).makespan, 6);
}

TEST(Timeline, SlowsWhatFollowsOnTheSameStreamAsWell) {
  // The same product in two halves: the second begins the moment the first ends, still beside the transfer.
  Graph graph(1, 2);
  const auto half = graph.demand(kProduct);
  graph.add(0, 0, 1.5, half);
  const Node second = graph.add(0, 0, 4.5, half);
  graph.add(0, 1, 4, graph.demand(kTransfer));
  EXPECT_DOUBLE_EQ(after_simulate(graph).end[second], 7);
}

TEST(Timeline, SharesALinkUntilOneTransferEnds) {
  // Two transfers of 2 s and 3 s on one link: half speed each until second 4, when the short one ends and the long one
  // has 1 s left. 5 s.
  Graph graph(1, 2);
  const auto link = graph.demand({{0, 0, 1, 0, 0}});
  const Node shorter = graph.add(0, 0, 2, link), longer = graph.add(0, 1, 3, link);
  const Times times = after_simulate(graph);
  EXPECT_DOUBLE_EQ(times.end[shorter], 4);
  EXPECT_DOUBLE_EQ(times.end[longer], 5);
}

TEST(Timeline, TakesEventsWithoutDuration) {
  Graph graph(2, 1);
  const auto product = graph.demand(kProduct);
  const Node first = graph.add(0, 0, 1, product), barrier = graph.add(1, 0, 0, product),
             last = graph.add(1, 0, 2, product);
  graph.after(barrier, first);
  const Times times = after_simulate(graph);
  EXPECT_EQ(times.start[barrier], 1);
  EXPECT_EQ(times.end[barrier], 1);
  EXPECT_EQ(times.end[last], 3);
}

TEST(Timeline, NamesTheOperationsOfACircle) {
  // On one stream stand 10, 20 and 30; 10 waits for 30, which stands behind it.
  Graph graph(1, 1);
  const auto product = graph.demand(kProduct);
  const Node first = graph.add(0, 0, 1, product, 10);
  graph.add(0, 0, 1, product, 20);
  graph.after(first, graph.add(0, 0, 1, product, 30));
  Times times;
  const std::vector<std::string> halted{"3", "10 → 30 → 10"};
  for (const auto solve : {simulate, longest_path}) {
    const auto solved = solve(graph, times);
    ASSERT_FALSE(solved);
    EXPECT_EQ(solved.error().what, (base::Message{"timeline.circle", halted}));
  }
}

TEST(Timeline, NamesACircleOfSeveralStreams) {
  // 1 runs. 2 waits for 5, 4 for 3: each stands behind the other on its stream. 6 only waits for 3.
  Graph graph(3, 1);
  const auto product = graph.demand(kProduct);
  graph.add(0, 0, 1, product, 1);
  const Node two = graph.add(0, 0, 1, product, 2), three = graph.add(0, 0, 1, product, 3);
  const Node four = graph.add(1, 0, 1, product, 4), five = graph.add(1, 0, 1, product, 5);
  const Node six = graph.add(2, 0, 1, product, 6);
  graph.after(two, five);
  graph.after(four, three);
  graph.after(six, three);
  Times times;
  const auto solved = simulate(graph, times);
  ASSERT_FALSE(solved);
  EXPECT_EQ(solved.error().what.arguments, (std::vector<std::string>{"5", "2 → 5 → 4 → 3 → 2"}));
}

TEST(Timeline, RefusesOperationsThatCannotBe) {
  for (const double seconds : {-1.0, std::nan(""), double(INFINITY)}) {
    Graph graph(1, 1);
    graph.add(0, 0, 1, graph.demand(kProduct), 6);
    graph.add(0, 0, seconds, graph.demand(kProduct), 7);
    Times times;
    const auto solved = simulate(graph, times);
    ASSERT_FALSE(solved);
    EXPECT_EQ(solved.error().what, (base::Message{"timeline.no_operation", {"7"}}));
  }
  Graph graph(1, 1);
  for (int i = 0; i <= Graph::kMostDemands; ++i) graph.add(0, 0, 1, graph.demand({{i / 100.0}}), std::uint32_t(i));
  Times times;
  EXPECT_EQ(simulate(graph, times).error().what.arguments, std::vector<std::string>{"15"});
  graph.clear(1, 1);
  EXPECT_TRUE(simulate(graph, times));
  EXPECT_EQ(times.makespan, 0);
}

/// Nodes wait only for earlier ones, so that there is no circle.
Graph any_graph(const std::vector<Demand>& demands) {
  const int places = *rc::gen::inRange(1, 5), streams = *rc::gen::inRange(1, 5);
  Graph graph(places, streams);
  std::vector<DemandId> classes;
  for (const Demand& demand : demands) classes.push_back(graph.demand(demand));
  const int nodes = *rc::gen::inRange(1, 60);
  for (int i = 0; i < nodes; ++i) {
    const Node node = graph.add(*rc::gen::inRange(0, places), *rc::gen::inRange(0, streams),
                                *rc::gen::inRange(0, 50) / 10.0, *rc::gen::elementOf(classes));
    if (node == 0) continue;
    for (int waits = *rc::gen::inRange(0, 3); waits > 0; --waits) graph.after(node, *rc::gen::inRange<Node>(0, node));
  }
  return graph;
}

RC_GTEST_PROP(Timeline, WithoutCollisionsIsTheLongestPath, ()) {
  const auto graph = any_graph({Demand{}, {{0.1, 0.1, 0.1, 0.1, 0.1}}});
  const Times path = after_longest_path(graph), times = after_simulate(graph);
  RC_ASSERT(path.start == times.start);
  RC_ASSERT(path.end == times.end);
  RC_ASSERT(path.makespan == times.makespan);
}

RC_GTEST_PROP(Timeline, CollisionsDelayAndNeverHasten, ()) {
  const auto graph = any_graph({kProduct, kTransfer, kNetworkTransfer});
  const Times path = after_longest_path(graph), times = after_simulate(graph);
  double work = 0;
  for (Node node = 0; node < graph.size(); ++node) {
    RC_ASSERT(times.start[node] >= path.start[node] - 1e-9);
    RC_ASSERT(times.end[node] - times.start[node] >= graph.seconds(node) - 1e-9);
    work += graph.seconds(node);
  }
  // Something always runs, and streams that share a resource do no less together than one alone.
  RC_ASSERT(times.makespan <= work + 1e-6);
}

RC_GTEST_PROP(Timeline, KeepsOrderAndWaits, ()) {
  const auto graph = any_graph({kProduct, kTransfer, kNetworkTransfer});
  const Times times = after_simulate(graph);
  for (Node node = 0; node < graph.size(); ++node) {
    graph.for_each_later(node, [&](Node later) { RC_ASSERT(times.start[later] >= times.end[node]); });
    if (graph.next(node) != Graph::kNone) RC_ASSERT(times.start[graph.next(node)] >= times.end[node]);
  }
}

RC_GTEST_PROP(Timeline, IsTheSameTwice, ()) {
  const auto graph = any_graph({kProduct, kTransfer});
  Times used = after_simulate(graph);
  const Times once = used;
  RC_ASSERT(bool(simulate(graph, used)));
  RC_ASSERT(once.end == used.end);
}

/// What any_graph() makes, kept apart from the order in which a graph is told of it.
struct Plan {
  struct Operation {
    int place, stream;
    double seconds;
    std::size_t demand;
  };
  int places = 1, streams = 1;
  std::vector<Operation> operations;
  std::vector<std::pair<std::size_t, std::size_t>> waits;  ///< later, earlier
};

const std::vector<Demand> kDemands{kProduct, kTransfer, kNetworkTransfer, {{0.6, 0.5, 0.3, 0, 0}}};

Plan any_plan() {
  Plan plan{*rc::gen::inRange(1, 5), *rc::gen::inRange(1, 5), {}, {}};
  const auto nodes = *rc::gen::inRange<std::size_t>(1, 60);
  for (std::size_t i = 0; i < nodes; ++i) {
    plan.operations.push_back({*rc::gen::inRange(0, plan.places), *rc::gen::inRange(0, plan.streams),
                               *rc::gen::inRange(0, 50) / 10.0, *rc::gen::inRange<std::size_t>(0, kDemands.size())});
    if (i > 0)
      for (int waits = *rc::gen::inRange(0, 3); waits > 0; --waits)
        plan.waits.emplace_back(i, *rc::gen::inRange<std::size_t>(0, i));
  }
  return plan;
}

/// Tells the graph of the plan's operations in this order; node numbers by operation.
std::vector<Node> tell(const Plan& plan, const std::vector<std::size_t>& order, Graph& graph) {
  graph.clear(plan.places, plan.streams);
  for (const Demand& demand : kDemands) graph.demand(demand);
  std::vector<Node> nodes(plan.operations.size());
  for (const std::size_t i : order) {
    const auto& operation = plan.operations[i];
    nodes[i] = graph.add(operation.place, operation.stream, operation.seconds, DemandId(operation.demand));
  }
  for (const auto& [later, earlier] : plan.waits) graph.after(nodes[later], nodes[earlier]);
  return nodes;
}

std::vector<std::size_t> as_planned(const Plan& plan) {
  std::vector<std::size_t> order(plan.operations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

RC_GTEST_PROP(Timeline, OrderAmongStreamsOfTellingDoesNotMatter, ()) {
  const Plan plan = any_plan();
  auto by_stream = as_planned(plan);
  std::stable_sort(by_stream.begin(), by_stream.end(), [&](std::size_t a, std::size_t b) {
    const auto &first = plan.operations[a], &second = plan.operations[b];
    return std::pair(-first.stream, first.place) < std::pair(-second.stream, second.place);
  });
  Graph one(1, 1), other(1, 1);
  const auto nodes = tell(plan, as_planned(plan), one), others = tell(plan, by_stream, other);
  const Times times = after_simulate(one), other_times = after_simulate(other);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    RC_ASSERT(times.start[nodes[i]] == other_times.start[others[i]]);
    RC_ASSERT(times.end[nodes[i]] == other_times.end[others[i]]);
  }
}

/// The same physics from nothing but start and end: between any two moments of a place, each operation that runs does
/// its rate's share of work; over its whole run that must be all of its work.
RC_GTEST_PROP(Timeline, EveryOperationDoesAllOfItsWork, ()) {
  const Plan plan = any_plan();
  Graph graph(1, 1);
  tell(plan, as_planned(plan), graph);
  const Times times = after_simulate(graph);
  for (int place = 0; place < plan.places; ++place) {
    std::vector<double> moments;
    std::vector<Node> here;
    for (Node node = 0; node < graph.size(); ++node) {
      if (graph.place(node) != place || graph.seconds(node) == 0) continue;
      here.push_back(node);
      moments.insert(moments.end(), {times.start[node], times.end[node]});
    }
    std::sort(moments.begin(), moments.end());
    std::vector<double> done(graph.size(), 0);
    for (std::size_t m = 0; m + 1 < moments.size(); ++m) {
      std::vector<Node> running;
      std::vector<Demand> active;
      for (const Node node : here)
        if (times.start[node] <= moments[m] && times.end[node] >= moments[m + 1] && moments[m] < moments[m + 1]) {
          running.push_back(node);
          active.push_back(graph.demands()[graph.demand_of(node)]);
        }
      std::vector<double> rates(active.size());
      share_resources(active, rates);
      for (std::size_t i = 0; i < running.size(); ++i) done[running[i]] += rates[i] * (moments[m + 1] - moments[m]);
    }
    for (const Node node : here) RC_ASSERT(std::abs(done[node] - graph.seconds(node)) < 1e-6);
  }
}

TEST(Timeline, SimultaneousEndsLeaveNoTrace) {
  // On place 1 a transfer ends at second 3 just when another begins, which waits for a product of place 0 that ends
  // then too. The product beside them runs at 3/4 throughout: 6 s of work in 8 s, to the bit.
  for (const bool turned : {false, true}) {
    Graph graph(2, 3);
    const int here = turned ? 0 : 1, there = turned ? 1 : 0;
    const auto product = graph.demand(kProduct), transfer = graph.demand(kTransfer);
    const Node work = graph.add(here, 0, 6, product);
    const Node elsewhere = graph.add(there, 0, 3, product);
    graph.add(here, 1, 3, transfer);
    const Node second = graph.add(here, 2, 5, transfer);
    graph.after(second, elsewhere);
    const Times times = after_simulate(graph);
    EXPECT_EQ(times.start[second], 3);
    EXPECT_EQ(times.end[work], 8);
    EXPECT_EQ(times.makespan, 8);
  }
}

/// p stages, m micro-batches, forward 1 s and backward 2 s, free transfers, 1F1B: 3m s of work and 3(p − 1) of waiting.
RC_GTEST_PROP(Timeline, OneForwardOneBackwardWaitsAsItMust, ()) {
  const int p = *rc::gen::inRange(1, 9), m = *rc::gen::inRange(1, 20);
  Graph graph(p, 1);
  const auto product = graph.demand(kProduct);
  std::vector<std::vector<Node>> forward(p, std::vector<Node>(m)), backward = forward;
  for (int stage = 0; stage < p; ++stage) {
    const int ahead = std::min(m, p - 1 - stage);
    for (int i = 0; i < m + ahead; ++i) {
      if (i < m) forward[stage][i] = graph.add(stage, 0, 1, product);
      if (i >= ahead) backward[stage][i - ahead] = graph.add(stage, 0, 2, product);
    }
  }
  for (int stage = 0; stage < p; ++stage)
    for (int i = 0; i < m; ++i) {
      if (stage > 0) graph.after(forward[stage][i], forward[stage - 1][i]);
      if (stage > 0) graph.after(backward[stage - 1][i], backward[stage][i]);
    }
  RC_ASSERT(after_longest_path(graph).makespan == 3.0 * m + 3 * (p - 1));
  RC_ASSERT(after_simulate(graph).makespan == 3.0 * m + 3 * (p - 1));
}

/// On one place where all begin together, more demand of one makes none end sooner.
RC_GTEST_PROP(Timeline, MoreDemandIsNeverSooner, ()) {
  const int streams = *rc::gen::inRange(1, 6);
  std::vector<double> seconds, shares;
  for (int i = 0; i < streams; ++i) {
    seconds.push_back(*rc::gen::inRange(1, 50) / 10.0);
    shares.push_back(*rc::gen::inRange(0, 11) / 10.0);
  }
  const auto makespan = [&] {
    Graph graph(1, streams);
    for (int i = 0; i < streams; ++i) graph.add(0, i, seconds[i], graph.demand({{shares[i], 0, 0, 0, 0}}));
    return after_simulate(graph).makespan;
  };
  const double before = makespan();
  double& greedy = shares[*rc::gen::inRange(0, streams)];
  greedy = std::min(1.0, greedy + 0.3);
  RC_ASSERT(makespan() >= before - 1e-9);
}

/// Independent copies of a place end when it does.
RC_GTEST_PROP(Timeline, EqualPlacesDoTheSame, ()) {
  const int nodes = *rc::gen::inRange(1, 30);
  Graph one(1, 3), three(3, 3);
  for (int i = 0; i < nodes; ++i) {
    const int stream = *rc::gen::inRange(0, 3);
    const double seconds = *rc::gen::inRange(0, 50) / 10.0;
    const Demand& demand = *rc::gen::elementOf(std::vector<Demand>{kProduct, kTransfer, kNetworkTransfer});
    one.add(0, stream, seconds, one.demand(demand));
    for (int place = 0; place < 3; ++place) three.add(place, stream, seconds, three.demand(demand));
  }
  RC_ASSERT(after_simulate(one).makespan == after_simulate(three).makespan);
}

}  // namespace
}  // namespace headrace::timeline
