// SPDX-License-Identifier: Apache-2.0
#include "scenario/names.h"

#include <array>

namespace headrace::scenario {
namespace {

constexpr std::array kDataParallel{
    Named<DataParallel>{"ddp", DataParallel::kDdp}, Named<DataParallel>{"zero1", DataParallel::kZero1},
    Named<DataParallel>{"zero2", DataParallel::kZero2}, Named<DataParallel>{"zero3", DataParallel::kZero3},
    Named<DataParallel>{"fsdp", DataParallel::kZero3}};

constexpr std::array kRecompute{Named<Recompute>{"none", Recompute::kNone},
                                Named<Recompute>{"selective", Recompute::kSelective},
                                Named<Recompute>{"full", Recompute::kFull}};

constexpr std::array kSchedule{Named<Schedule>{"gpipe", Schedule::kGpipe},
                               Named<Schedule>{"1f1b", Schedule::k1f1b},
                               Named<Schedule>{"interleaved", Schedule::kInterleaved},
                               Named<Schedule>{"zero_bubble_h1", Schedule::kZeroBubbleH1},
                               Named<Schedule>{"zero_bubble_h2", Schedule::kZeroBubbleH2},
                               Named<Schedule>{"zbv", Schedule::kZbv},
                               Named<Schedule>{"dualpipe", Schedule::kDualPipe}};

constexpr std::array kContextKind{Named<ContextKind>{"ring", ContextKind::kRing},
                                  Named<ContextKind>{"all_to_all", ContextKind::kAllToAll}};

constexpr std::array kOptimizer{Named<Optimizer>{"adamw", Optimizer::kAdamW},
                                Named<Optimizer>{"adam8bit", Optimizer::kAdam8bit},
                                Named<Optimizer>{"sgd", Optimizer::kSgd}, Named<Optimizer>{"muon", Optimizer::kMuon},
                                Named<Optimizer>{"adafactor", Optimizer::kAdafactor}};

constexpr std::array kFineTuning{Named<FineTuning>{"full", FineTuning::kFull},
                                 Named<FineTuning>{"lora", FineTuning::kLora},
                                 Named<FineTuning>{"qlora", FineTuning::kQlora}};

constexpr std::array kGoal{Named<Goal>{"time_to_train", Goal::kTimeToTrain},
                           Named<Goal>{"step_time", Goal::kStepTime},
                           Named<Goal>{"cost", Goal::kCost},
                           Named<Goal>{"energy", Goal::kEnergy},
                           Named<Goal>{"memory", Goal::kMemory},
                           Named<Goal>{"gpu_hours", Goal::kGpuHours},
                           Named<Goal>{"gpus", Goal::kGpus}};

}  // namespace

std::span<const Named<DataParallel>> data_parallel_names() { return kDataParallel; }
std::span<const Named<Recompute>> recompute_names() { return kRecompute; }
std::span<const Named<Schedule>> schedule_names() { return kSchedule; }
std::span<const Named<ContextKind>> context_kind_names() { return kContextKind; }
std::span<const Named<Optimizer>> optimizer_names() { return kOptimizer; }
std::span<const Named<FineTuning>> fine_tuning_names() { return kFineTuning; }
std::span<const Named<Goal>> goal_names() { return kGoal; }

}  // namespace headrace::scenario
