// SPDX-License-Identifier: Apache-2.0
#include "training/step_trace.h"

#include <algorithm>
#include <string>

namespace headrace::training {

namespace {

using base::Seconds;
using timeline::Category;
using timeline::Graph;
using timeline::Node;

/// By StepWorkKind.
std::vector<timeline::SpanName> names() {
  return {{{"trace.forward", {}}, Category::kForward},
          {{"trace.backward", {}}, Category::kBackward},
          {{"trace.backward_input", {}}, Category::kBackward},
          {{"trace.backward_weight", {}}, Category::kWeightGradient},
          {{"trace.pair", {}}, Category::kBackward},
          {{"trace.send", {}}, Category::kSend},
          {{"trace.gather", {}}, Category::kGather},
          {{"trace.reduce", {}}, Category::kReduce},
          {{"trace.wait", {}}, Category::kOther},
          {{"trace.norm", {}}, Category::kOptimizer},
          {{"trace.optimizer", {}}, Category::kOptimizer},
          {{"trace.host", {}}, Category::kHost}};
}

/// By StepStream.
std::vector<base::Message> streams() {
  return {{"trace.stream.compute", {}},
          {"trace.stream.send_down", {}},
          {"trace.stream.send_up", {}},
          {"trace.stream.data", {}},
          {"trace.stream.host", {}}};
}

bool is_pass(StepWorkKind kind) { return kind <= StepWorkKind::kPair; }

/// "12–15", or "0–3, 12–15" of a rank with two chunks; counted from 0.
std::string layer_ranges(const Program& program, const Layout& layout, int rank) {
  constexpr int kMostNamed = 8;
  std::string ranges;
  for (int chunk = 0; chunk < program.chunks; ++chunk) {
    const auto stage = std::size_t(program.stage(rank, chunk));
    int first = 0;
    for (std::size_t i = 0; i < stage; ++i) first += layers_of(layout.chunks[i]);
    if (chunk == kMostNamed) return ranges + ", …";
    if (chunk > 0) ranges += ", ";
    const int count = layers_of(layout.chunks[stage]);
    ranges += count == 0 ? "–" : std::to_string(first);
    if (count > 1) ranges += "–" + std::to_string(first + count - 1);
  }
  return ranges;
}

/// Samples of how many chunks' activations a rank keeps, from its passes in their order.
struct Kept {
  double time;
  int passes;
};

std::vector<Kept> kept_over_time(const StepRun& run, int rank) {
  const Graph& graph = run.graph;
  const auto lane = std::uint32_t(rank * Graph::kMostStreams + kComputeStream);
  std::vector<Kept> kept{{0, 0}};
  std::uint32_t before = 0;
  bool within = false;
  for (Node node = graph.first(lane); node != Graph::kNone; node = graph.next(node)) {
    const std::uint32_t tag = graph.tag(node);
    const StepWorkKind kind = unpacked(tag).kind;
    const Node next = graph.next(node);
    const bool begins = !within || tag != before, ends = next == Graph::kNone || graph.tag(next) != tag;
    before = tag;
    within = true;
    if (begins && (kind == StepWorkKind::kForward || kind == StepWorkKind::kPair))
      kept.push_back({run.times.start[node], kept.back().passes + 1});
    const bool frees =
        kind == StepWorkKind::kBackwardWeight || kind == StepWorkKind::kBackward || kind == StepWorkKind::kPair;
    if (ends && frees) kept.push_back({run.times.end[node], std::max(0, kept.back().passes - 1)});
  }
  return kept;
}

void add_memory(const StepRun& run, int rank, const Memory& peak, double stretch, timeline::Trace& trace) {
  const std::vector<Kept> kept = kept_over_time(run, rank);
  const int most = std::max_element(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) {
                     return a.passes < b.passes;
                   })->passes;
  const double passing = peak.activations + peak.logits;
  for (const Kept& sample : kept) {
    const double share = most == 0 ? 1 : double(sample.passes) / most;
    trace.memory.push_back(
        {std::uint32_t(rank), Seconds(sample.time * stretch), base::Bytes(peak.total() - passing + share * passing)});
  }
}

timeline::Span span_of(const StepRun& run, Node node, double stretch) {
  const StepTag tag = unpacked(run.graph.tag(node));
  const bool of_pass = is_pass(tag.kind) || tag.kind == StepWorkKind::kSend ||
                       (run.costs.traffic != Traffic::kOnce && tag.kind == StepWorkKind::kGather) ||
                       (run.costs.traffic != Traffic::kOnce && tag.kind == StepWorkKind::kReduce);
  return {.place = std::uint32_t(run.graph.place(node)),
          .stream = std::uint32_t(run.graph.stream(node)),
          .name = std::uint32_t(tag.kind),
          .micro_batch = of_pass ? tag.micro_batch : -1,
          .chunk = of_pass && run.program.chunks > 1 ? tag.chunk : -1,
          .start = Seconds(run.times.start[node] * stretch),
          .end = Seconds(run.times.end[node] * stretch)};
}

}  // namespace

timeline::Trace step_trace(const StepRun& run, const Layout& layout, const std::vector<Memory>& peaks, double stretch) {
  timeline::Trace trace;
  trace.title = {"trace.step", {}};
  trace.streams = streams();
  trace.names = names();
  for (int rank = 0; rank < run.program.ranks; ++rank) {
    trace.places.push_back({"trace.stage", {std::to_string(rank), layer_ranges(run.program, layout, rank)}});
    add_memory(run, rank, peaks[std::size_t(rank)], stretch, trace);
  }
  for (Node node = 0; node < run.graph.size(); ++node)
    if (run.times.end[node] > run.times.start[node]) trace.spans.push_back(span_of(run, node, stretch));
  return trace;
}

}  // namespace headrace::training
