// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "training/step_simulation.h"

namespace headrace::training {
namespace {

using scenario::Schedule;

char letter_of(const StepTag& tag) {
  switch (tag.kind) {
    case StepWorkKind::kForward: return char('0' + tag.micro_batch);
    case StepWorkKind::kBackward:
    case StepWorkKind::kBackwardInput: return char('a' + tag.micro_batch);
    case StepWorkKind::kBackwardWeight: return 'w';
    case StepWorkKind::kPair: return char('A' + tag.micro_batch);
    default: return '.';
  }
}

/// Four ranks, eight micro-batches, a forward of one column and a backward of two, one of them for weights.
std::string picture(Schedule schedule) {
  const int chunks = schedule == Schedule::kInterleaved || schedule == Schedule::kZbv ? 2 : 1;
  const auto program = program_of(schedule, 4, chunks, 8);
  StepCosts costs;
  StageCost stage;
  stage.forward = stage.weight = 1;
  stage.backward = 2;
  costs.stages.assign(std::size_t(program.stages), stage);
  timeline::Graph graph(1, kStepStreams);
  lay_step(program, costs, graph);
  timeline::Times times;
  EXPECT_TRUE(timeline::simulate(graph, times));
  std::vector<std::string> rows(4, std::string(std::size_t(times.makespan + 0.5), '.'));
  for (timeline::Node node = 0; node < graph.size(); ++node) {
    if (graph.stream(node) != kComputeStream) continue;
    for (auto t = std::size_t(times.start[node] + 0.5); t < std::size_t(times.end[node] + 0.5); ++t)
      rows[std::size_t(graph.place(node))][t] = letter_of(unpacked(graph.tag(node)));
  }
  std::string all;
  for (const auto& row : rows) all += row + "\n";
  return all;
}

TEST(SchedulePictures, AreThoseOfTheDocs) {
  std::ifstream file(HEADRACE_SOURCE_DIR "/docs/schedules.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const auto schedule : {Schedule::kGpipe, Schedule::k1f1b, Schedule::kInterleaved, Schedule::kZeroBubbleH1,
                              Schedule::kZeroBubbleH2, Schedule::kZbv, Schedule::kDualPipe})
    EXPECT_NE(text.str().find(picture(schedule)), std::string::npos) << picture(schedule);
}

}  // namespace
}  // namespace headrace::training
