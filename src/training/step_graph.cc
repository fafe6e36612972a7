// SPDX-License-Identifier: Apache-2.0
#include "training/step_graph.h"

#include <array>

#include "training/step_turns.h"

namespace headrace::training {

namespace {

using timeline::DemandId;
using timeline::Graph;
using timeline::Node;

/// The nodes of one pass of a stage and micro-batch that other ranks' nodes wait for or hold up.
struct Passage {
  Node first = Graph::kNone;   ///< waits for the data
  Node before = Graph::kNone;  ///< on its rank, until which the data is not received
  Node out = Graph::kNone;     ///< brings the data to the next stage
  bool sent = false;           ///< `out` is a transfer between ranks
};

class StepLayer {
 public:
  StepLayer(const Program& program, const StepCosts& costs, Graph& graph)
      : program_(program), costs_(costs), graph_(graph) {
    graph_.clear(program.ranks, kStepStreams);
    forward_ = graph_.demand(costs.forward);
    backward_ = graph_.demand(costs.backward);
    weight_ = graph_.demand(costs.weight);
    send_ = graph_.demand(costs.send_demand);
    data_ = graph_.demand(costs.data_demand);
    host_ = graph_.demand({{0, 0, 0, 0, 1}});
    none_ = graph_.demand({});
    for (auto& passages : passages_) passages.resize(std::size_t(program.stages) * std::size_t(program.micro_batches));
  }

  void operator()() {
    for (int rank = 0; rank < program_.ranks; ++rank) lay_rank(rank);
    connect(kForwards, -1);
    connect(kBackwards, 1);
    lay_end();
  }

 private:
  static constexpr int kForwards = 0, kBackwards = 1;

  Passage& passage(int which, int stage, int micro_batch) {
    return passages_[std::size_t(which)]
                    [std::size_t(stage) * std::size_t(program_.micro_batches) + std::size_t(micro_batch)];
  }

  Node add(int rank, int stream, double seconds, DemandId demand, StepTag tag) {
    return graph_.add(rank, stream, seconds, demand, packed(tag));
  }

  DemandId demand_of(const Turn& turn) const {
    if (turn.slot.kind == SlotKind::kForward) return forward_;
    return turn.slot.kind == SlotKind::kBackwardWeight ? weight_ : backward_;
  }

  void lay_rank(int rank) {
    list_turns(program_, costs_, rank, turns_);
    waits_.clear();
    loaded_ = add(rank, kHostStream, costs_.host_step, host_, {StepWorkKind::kHost, 0, 0});
    waits_.push_back(loaded_);
    before_ = Graph::kNone;
    ahead_ = computed_ = 0;
    last_ = Graph::kNone;
    list_gathers();
    for (const Turn& turn : turns_) lay_turn(rank, turn);
    ends_.push_back(before_);
  }

  /// The pieces of parameters in the order in which passes need them.
  void list_gathers() {
    gathers_.clear();
    for (const Turn& turn : turns_)
      for (int i = 0; i < turn.pieces && turn.gather > 0; ++i)
        gathers_.push_back({turn.gather / turn.pieces, turn.tag});
    gather_nodes_.assign(gathers_.size(), Graph::kNone);
  }

  /// Parameters gathered once come as fast as they can; those gathered for each pass one piece ahead of it, and no
  /// sooner than the piece two before is done. Source: PyTorch FSDP, limit_all_gathers (facts).
  void gather_until(int rank, std::size_t end) {
    for (; ahead_ < std::min(end, gathers_.size()); ++ahead_) {
      StepTag tag = gathers_[ahead_].second;
      tag.kind = StepWorkKind::kGather;
      const Node node = add(rank, kDataStream, gathers_[ahead_].first, data_, tag);
      gather_nodes_[ahead_] = node;
      if (ahead_ == 0) graph_.after(node, loaded_);
      if (costs_.traffic == Traffic::kEachGatherToo && last_ != Graph::kNone) graph_.after(node, last_);
    }
  }

  void lay_turn(int rank, const Turn& turn) {
    Node first = Graph::kNone, last = Graph::kNone;
    for (int piece = 0; piece < turn.pieces; ++piece) {
      if (turn.gather > 0)
        gather_until(rank, costs_.traffic == Traffic::kEachGatherToo ? computed_ + 2 : gathers_.size());
      last = add(rank, kComputeStream, turn.seconds / turn.pieces, demand_of(turn), turn.tag);
      if (piece == 0) first = last;
      if (turn.gather > 0) graph_.after(last, gather_nodes_[computed_++]);
      last_ = last;
      if (piece == 0) take_waits(last);
      if (turn.reduce > 0 && turn.reduces_by_piece) reduce(rank, turn, turn.reduce / turn.pieces, last);
    }
    if (turn.reduce > 0 && !turn.reduces_by_piece) waits_.push_back(reduce(rank, turn, turn.reduce, last));
    pass_on(rank, turn, first, last);
    before_ = last;
  }

  void take_waits(Node node) {
    for (const Node wait : waits_) graph_.after(node, wait);
    waits_.clear();
  }

  Node reduce(int rank, const Turn& turn, double seconds, Node ready) {
    StepTag tag = turn.tag;
    tag.kind = StepWorkKind::kReduce;
    const Node node = add(rank, kDataStream, seconds, data_, tag);
    graph_.after(node, ready);
    return node;
  }

  void pass_on(int rank, const Turn& turn, Node first, Node last) {
    if (turn.forward()) {
      const bool pair = turn.slot.kind == SlotKind::kPair;
      const int chunk = pair ? turn.slot.forward_chunk : turn.slot.chunk;
      const int micro_batch = pair ? turn.slot.forward_micro_batch : turn.slot.micro_batch;
      send(rank, turn, kForwards, chunk, micro_batch, first, last);
    }
    if (turn.backward()) send(rank, turn, kBackwards, turn.slot.chunk, turn.slot.micro_batch, first, last);
  }

  /// Chunks that follow each other on one rank need no transfer.
  [[nodiscard]] bool stays(int rank, int stage, int other) const {
    for (int chunk = 0; chunk < program_.chunks; ++chunk)
      if (!program_.bidirectional && program_.stage(rank, chunk) == other) return true;
    return other < 0 || other >= program_.stages || stage == other;
  }

  void send(int rank, const Turn& turn, int which, int chunk, int micro_batch, Node first, Node last) {
    const int stage = program_.stage(rank, chunk);
    Passage& pass = passage(which, stage, micro_batch);
    pass = {first, before_, last, false};
    const int next = which == kForwards ? stage + 1 : stage - 1;
    if (costs_.send <= 0 || stays(rank, stage, next)) return;
    // A stream for each direction along the ranks.
    const bool down = (which == kForwards) != (program_.direction(micro_batch) == 1);
    pass.out = add(rank, down ? kForwardStream : kBackwardStream, costs_.send, send_,
                   {StepWorkKind::kSend, chunk, micro_batch});
    pass.sent = true;
    graph_.after(pass.out, last);
    const bool stops = costs_.sending == Sending::kMeeting || (costs_.sending == Sending::kWarmUp && turn.filling);
    if (stops) waits_.push_back(pass.out);
  }

  /// Every pass waits for that of the stage `step` away, and blocking transfers for who receives them.
  void connect(int which, int step) {
    for (int stage = 0; stage < program_.stages; ++stage) {
      const int from = stage + step;
      if (from < 0 || from >= program_.stages) continue;
      for (int i = 0; i < program_.micro_batches; ++i) {
        const Passage& here = passage(which, stage, i);
        const Passage& there = passage(which, from, i);
        graph_.after(here.first, there.out);
        if (costs_.sending == Sending::kMeeting && there.sent && here.before != Graph::kNone)
          graph_.after(there.out, here.before);
      }
    }
  }

  double of_rank(int rank, double DataParallelLoad::* part) const {
    double sum = 0;
    for (int chunk = 0; chunk < program_.chunks; ++chunk)
      sum += costs_.stages[std::size_t(program_.stage(rank, chunk))].load.*part;
    return sum;
  }

  /// Gradients not yet reduced, the norm over all ranks, the update, parameters not gathered later.
  void lay_end() {
    const bool late_reduce = costs_.traffic == Traffic::kOnce && !costs_.overlaps_reduce;
    const Node all = add(0, kHostStream, 0, none_, {StepWorkKind::kWait, 0, 0});
    for (int rank = 0; rank < program_.ranks; ++rank) {
      const double seconds = late_reduce ? of_rank(rank, &DataParallelLoad::reduce) : 0;
      const Node reduced = add(rank, kDataStream, seconds, data_, {StepWorkKind::kReduce, 0, 0});
      graph_.after(reduced, ends_[std::size_t(rank)]);
      graph_.after(all, reduced);
    }
    const bool late_gather = costs_.traffic != Traffic::kEachGatherToo && !costs_.overlaps_gather;
    for (int rank = 0; rank < program_.ranks; ++rank) {
      const Node norm = add(rank, kComputeStream, costs_.norm, none_, {StepWorkKind::kNorm, 0, 0});
      graph_.after(norm, all);
      const bool host = costs_.offloads_optimizer;
      const Node update = add(rank, host ? kHostStream : kComputeStream, of_rank(rank, &DataParallelLoad::optimizer),
                              host ? host_ : weight_, {StepWorkKind::kOptimizer, 0, 0});
      graph_.after(update, norm);
      if (!late_gather) continue;
      const Node gather =
          add(rank, kDataStream, of_rank(rank, &DataParallelLoad::gather), data_, {StepWorkKind::kGather, 0, 0});
      graph_.after(gather, update);
    }
  }

  const Program& program_;
  const StepCosts& costs_;
  Graph& graph_;
  DemandId forward_, backward_, weight_, send_, data_, host_, none_;
  std::array<std::vector<Passage>, 2> passages_;
  std::vector<Turn> turns_;
  std::vector<std::pair<double, StepTag>> gathers_;  ///< s, and of which pass
  std::vector<Node> gather_nodes_, waits_, ends_;
  std::size_t ahead_ = 0, computed_ = 0;  ///< pieces gathered, pieces used
  Node last_ = Graph::kNone;              ///< pass
  Node before_ = Graph::kNone, loaded_ = Graph::kNone;
};

}  // namespace

std::uint32_t packed(const StepTag& tag) {
  return std::uint32_t(tag.kind) | std::uint32_t(tag.chunk) << 4 | std::uint32_t(tag.micro_batch) << 12;
}

StepTag unpacked(std::uint32_t tag) { return {StepWorkKind(tag & 15U), int(tag >> 4 & 255U), int(tag >> 12)}; }

void lay_step(const Program& program, const StepCosts& costs, Graph& graph) { StepLayer(program, costs, graph)(); }

}  // namespace headrace::training
