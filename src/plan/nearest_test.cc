// SPDX-License-Identifier: Apache-2.0
#include "plan/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/example.h"

namespace headrace::plan {
namespace {

/// 8 layers of width 1024 on eight accelerators of 1 GB, all on one rank each: too much with full states.
struct Tight {
  training::Job job = example_job(8, 1024, 8, 2048);
  training::Machine machine = example_machine(8, 1e9);
  Space space;

  Tight() {
    space.global_batch = {64};
    space.tensor = {1};
    space.pipeline = {1};
    space.context = {1};
    space.data_parallel = {scenario::DataParallel::kDdp};
    space.micro_batch = {8};
    space.recompute = {scenario::Recompute::kNone};
    space.offload_optimizer = {false};
  }
};

const Change* of_kind(const std::vector<Change>& changes, ChangeKind kind) {
  const auto at = std::find_if(changes.begin(), changes.end(), [&](const Change& c) { return c.kind == kind; });
  return at == changes.end() ? nullptr : &*at;
}

bool fits(const Candidate& c, double memory) { return c.memory <= 0.95 * memory; }

TEST(Nearest, EveryChangeFits) {
  Tight tight;
  tight.machine.device.memory = 6e9;
  const auto roomy = example_machine(8, 40e9);
  ASSERT_TRUE(search(tight.job, tight.machine, tight.space, {}).best.empty());
  const auto changes = nearest_changes(tight.job, tight.machine, tight.space, {}, {{"roomy", &roomy}});
  ASSERT_FALSE(changes.empty());
  for (const Change& change : changes) {
    EXPECT_TRUE(fits(change.candidate, change.kind == ChangeKind::kOtherMachine ? 40e9 : 6e9)) << change.what.id;
    EXPECT_FALSE(change.what.id.empty());
  }
}

TEST(Nearest, NamesTheMicroBatch) {
  Tight tight;
  tight.machine.device.memory = 6e9;
  const auto changes = nearest_changes(tight.job, tight.machine, tight.space, {}, {});
  const Change* change = of_kind(changes, ChangeKind::kMicroBatch);
  ASSERT_NE(change, nullptr);
  EXPECT_LT(change->candidate.strategy.micro_batch, 8);
  EXPECT_EQ(change->set, "strategy.micro_batch=" + std::to_string(change->candidate.strategy.micro_batch));
}

TEST(Nearest, TurnsToTheSmallestLargerMachine) {
  Tight tight;
  tight.machine.device.memory = 6e9;
  const auto huge = example_machine(8, 1e12), larger = example_machine(8, 80e9), smaller = example_machine(8, 1e9);
  const auto changes = nearest_changes(tight.job, tight.machine, tight.space, {},
                                       {{"huge", &huge}, {"smaller", &smaller}, {"larger", &larger}});
  const Change* change = of_kind(changes, ChangeKind::kOtherMachine);
  ASSERT_NE(change, nullptr);
  EXPECT_EQ(change->set, "center.platform=larger");
  EXPECT_EQ(change->candidate.machine, 2);
}

TEST(Nearest, AddsAcceleratorsUntilItFits) {
  // The whole strategy is open, and still one accelerator is too few.
  Tight tight;
  tight.machine = example_machine(1, 4e9);
  tight.space = {};
  tight.space.global_batch = {64};
  tight.space.offload_optimizer = {false};
  ASSERT_TRUE(search(tight.job, tight.machine, tight.space, {}).best.empty());
  const auto changes = nearest_changes(tight.job, tight.machine, tight.space, {}, {});
  const Change* change = of_kind(changes, ChangeKind::kMoreAccelerators);
  ASSERT_NE(change, nullptr);
  EXPECT_GT(change->accelerators, 1);
  auto half = tight.machine;
  half.accelerators = change->accelerators / 2;
  EXPECT_TRUE(search(tight.job, half, tight.space, {}).best.empty());
}

}  // namespace
}  // namespace headrace::plan
