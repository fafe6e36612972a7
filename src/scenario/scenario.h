// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "base/value.h"
#include "scenario/strategy.h"

namespace headrace::scenario {

/// The place where the centre stands; what is not given stays unknown.
struct Site {
  std::optional<double> pue;  ///< facility power over computing power, at least 1
  std::optional<base::Watts> power_limit;
  std::optional<base::DollarsPerJoule> electricity;
  std::optional<double> carbon;  ///< grams of CO2 equivalent per joule
};

/// What there is to compute on. Exactly one of `nodes`, `gpus` and `size_open` holds.
struct Center {
  std::vector<std::string> platforms;  ///< catalogue ids; more than one: the plan chooses
  std::optional<std::int64_t> nodes;   ///< scale-up domains (servers, or racks where a rack is one domain)
  std::optional<std::int64_t> gpus;
  bool size_open = false;                             ///< `auto`: the plan finds the smallest that answers
  std::string network;                                ///< catalogue id; empty: each platform's own
  std::optional<base::BytesPerSecond> storage_write;  ///< of the file system that takes checkpoints, all nodes together
  Site site;
};

/// The number formats that the user chose; the software decides the others.
struct GivenFormats {
  bool weights = false;
  bool gradients = false;
  bool moments = false;
  bool master_weights = false;
};

/// A training or fine-tuning run.
struct Training {
  std::string model;  ///< built-in name, or a path to a config.json
  base::Place model_place;
  std::int64_t sequence = 0;                 ///< tokens per sequence
  std::optional<std::int64_t> global_batch;  ///< sequences per step; empty: any up to the limit
  std::int64_t global_batch_limit = 0;
  std::optional<base::Tokens> tokens;  ///< of the whole run
  base::Dtype precision = base::Dtype::kBf16;
  Numerics numerics;
  GivenFormats given;
  Adaptation adaptation;
};

/// The values each key of a strategy may take; an empty list leaves the key to the search.
struct StrategyChoices {
  std::vector<std::int64_t> tensor, pipeline, virtual_pipeline, context, expert, expert_tensor, data, micro_batch,
      recompute_layers, shard_group;
  std::vector<bool> sequence_parallel, overlap_gradient_reduce, overlap_parameter_gather, overlap_tensor,
      offload_optimizer;
  std::vector<DataParallel> data_parallel;
  std::vector<Recompute> recompute;
  std::vector<Schedule> schedule;
  std::vector<ContextKind> context_kind;
};

/// What interrupts a run and how long until it goes on; empty: the catalogue's assumptions.
struct Failures {
  std::optional<double> per_node_day;  ///< per node as the platform counts them; 0 = none
  std::optional<base::Seconds> detection;
  std::optional<base::Seconds> restart;  ///< without loading the checkpoint
};

struct Checkpoints {
  std::optional<base::Seconds> interval;  ///< of steps; empty: the best
  bool asynchronous = false;              ///< the steps go on while it is written
};

/// What an accelerator costs, where the user says so: a rent, or a purchase written off over its lifetime.
struct Money {
  std::optional<base::DollarsPerSecond> rent;  ///< per accelerator
  std::optional<base::Dollars> purchase;       ///< per accelerator, its share of servers and network included
  base::Seconds lifetime{0};
};

struct SearchSettings {
  bool prune = true;
  int top = 10;
};

enum class Goal { kTimeToTrain, kStepTime, kCost, kEnergy, kMemory, kGpuHours, kGpus };

struct Objective {
  Goal minimize = Goal::kTimeToTrain;
  double memory_headroom = 0.05;  ///< fraction of an accelerator's memory to leave free
  std::optional<base::Seconds> time_limit;
  std::optional<base::Dollars> cost_limit;
  std::optional<base::Joules> energy_limit;
  std::optional<base::Seconds> step_limit;
  std::optional<double> gpu_hours_limit;
};

/// The one input of every verb.
struct Scenario {
  std::string name;
  std::string called;  ///< how the user named it: a built-in's name, a file, or the flags it was built from
  Center center;
  std::string software;  ///< catalogue id
  Training training;
  StrategyChoices strategy;
  Failures failures;
  Checkpoints checkpoints;
  Money money;
  SearchSettings search;
  Objective objective;
  base::Value resolved;  ///< the whole document with defaults filled in; each value's place tells where it came from
};

}  // namespace headrace::scenario
