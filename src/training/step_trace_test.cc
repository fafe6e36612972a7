// SPDX-License-Identifier: Apache-2.0
#include "training/step_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace headrace::training {
namespace {

/// Equal stages of one layer: forward 1 s, backward 2 s, sends of 0.5 s that stop nobody.
StepRun run_of(Program program, double send = 0.5) {
  StepRun run;
  run.program = std::move(program);
  StageCost stage;
  stage.forward = 1;
  stage.backward = 2;
  stage.weight = 1;
  run.costs.stages.assign(std::size_t(run.program.stages), stage);
  run.costs.forward.share[0] = run.costs.backward.share[0] = run.costs.weight.share[0] = 1;
  run.costs.send = send;
  run.costs.sending = Sending::kBeside;
  lay_step(run.program, run.costs, run.graph);
  EXPECT_TRUE(timeline::simulate(run.graph, run.times));
  return run;
}

Layout one_layer_a_stage(int stages) {
  Layout layout;
  layout.chunks.assign(std::size_t(stages), StageLayers{.count_by_kind = {1}});
  return layout;
}

std::vector<Memory> peaks_of(int ranks) {
  Memory peak;
  peak.weights = 10;
  peak.activations = 4;
  return std::vector<Memory>(std::size_t(ranks), peak);
}

double highest(const timeline::Trace& trace, std::uint32_t place) {
  double highest = 0;
  for (const auto& sample : trace.memory)
    if (sample.place == place) highest = std::max(highest, sample.bytes.value());
  return highest;
}

// Two stages, two micro-batches: stage 0 keeps both (F F B B), stage 1 one at a time (F B F B).
TEST(StepTrace, TellsWhatRanWhenAndWhatWasKept) {
  const auto trace = step_trace(run_of(one_f_one_b(2, 2)), one_layer_a_stage(2), peaks_of(2), 2);
  EXPECT_EQ(trace.places[1], (base::Message{"trace.stage", {"1", "1"}}));
  std::map<std::string, int> names;
  for (const auto& span : trace.spans) ++names[trace.names[span.name].label.id];
  EXPECT_EQ(names, (std::map<std::string, int>{{"trace.forward", 4}, {"trace.backward", 4}, {"trace.send", 4}}));

  // Twice as long as simulated: the first forward of stage 1 waits for 1 s of forward and 0.5 s of sending.
  const auto first = std::find_if(trace.spans.begin(), trace.spans.end(), [](const auto& s) { return s.place == 1; });
  EXPECT_DOUBLE_EQ(first->start.value(), 3);
  EXPECT_EQ(first->micro_batch, 0);
  EXPECT_EQ(first->chunk, -1);

  std::vector<double> bytes;
  for (const auto& sample : trace.memory)
    if (sample.place == 0) bytes.push_back(sample.bytes.value());
  EXPECT_EQ(bytes, (std::vector<double>{10, 12, 14, 12, 10}));
  EXPECT_EQ(highest(trace, 1), 14);
}

TEST(StepTrace, EndsWithTheStepAndItsHighestIsThePeakUnderEverySchedule) {
  for (const Program& program : {gpipe(4, 8), one_f_one_b(4, 8), interleaved(4, 2, 8), zero_bubble_h1(4, 8),
                                 zero_bubble_h2(4, 8), zbv(4, 8), dualpipe(4, 8)}) {
    const StepRun run = run_of(program);
    const auto trace = step_trace(run, one_layer_a_stage(program.stages), peaks_of(4), 1.5);
    double end = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> stream_end;
    auto spans = trace.spans;
    std::stable_sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    for (const auto& span : spans) {
      double& before = stream_end[{span.place, span.stream}];
      EXPECT_GE(span.start.value(), before);
      before = span.end.value();
      end = std::max(end, before);
    }
    EXPECT_DOUBLE_EQ(end, 1.5 * run.times.makespan);
    std::map<std::uint32_t, double> last;
    for (const auto& sample : trace.memory) last[sample.place] = sample.bytes.value();
    for (std::uint32_t place = 0; place < 4; ++place) {
      EXPECT_DOUBLE_EQ(highest(trace, place), 14);
      EXPECT_DOUBLE_EQ(last[place], 10);
    }
  }
}

TEST(StepTrace, NamesTheLayersOfEveryChunk) {
  const auto trace = step_trace(run_of(interleaved(2, 2, 2)), one_layer_a_stage(4), peaks_of(2), 1);
  EXPECT_EQ(trace.places[0].arguments, (std::vector<std::string>{"0", "0, 2"}));
  EXPECT_TRUE(std::any_of(trace.spans.begin(), trace.spans.end(), [](const auto& s) { return s.chunk == 1; }));
}

}  // namespace
}  // namespace headrace::training
