// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/estimate.h"
#include "base/result.h"
#include "scenario/scenario.h"
#include "scenario/strategy.h"

namespace headrace::scenario {

/// A fact that an outcome rests on: what, its value as text, and where it was read. `source` is a URL, a file, or a
/// message id.
struct Provenance {
  std::string what;  ///< message id
  std::string value;
  std::string source;
};

/// Memory of the fullest accelerator in bytes; parts sum to the peak.
struct MemoryOutcome {
  base::Estimate peak;
  base::Breakdown parts;
  int peak_stage = 0;
  double capacity = 0;
};

/// What one resource more would buy: the step time that `factor` of it gives, relative to now (−0.05 = 5 % less).
struct Gain {
  std::string resource;  ///< message id
  double change = 0;
};

/// How a run is kept safe.
struct CheckpointOutcome {
  double bytes = 0;
  double interval = 0;              ///< s of steps between two
  double first_order_interval = 0;  ///< s, by Young's formula; 0 where the scenario gives the interval
  base::Estimate write_time;        ///< s until one is safe
  bool asynchronous = false;
};

/// One way to run a training job and everything predicted of it. Empty optionals are unknown, and a warning says why.
struct TrainingOutcome {
  Strategy strategy;
  std::string platform;     ///< catalogue id
  std::string accelerator;  ///< catalogue id
  std::int64_t accelerators = 0;
  std::int64_t nodes = 0;
  bool fits = false;
  base::Estimate step_time;
  base::Estimate tokens_per_second_per_gpu;
  base::Estimate model_tflops_per_gpu;
  base::Estimate mfu;
  base::Estimate hfu;
  MemoryOutcome memory;
  std::optional<base::Estimate> power_per_gpu;
  std::optional<base::Estimate> ettr;      ///< effective training time ratio
  std::optional<base::Estimate> failures;  ///< of the whole run; per day where its length is unknown
  std::optional<CheckpointOutcome> checkpoint;
  std::optional<base::Estimate> time_to_train;  ///< with checkpoints, failures and restarts
  std::optional<base::Estimate> gpu_hours;
  std::optional<base::Estimate> energy;
  std::optional<base::Estimate> carbon;
  std::optional<base::Estimate> electricity;  ///< the energy at the site's price; part of a rent, not of a purchase
  std::optional<base::Estimate> price_per_gpu_hour;  ///< from the lowest to the highest of several dated prices
  std::optional<base::Estimate> cost;                ///< rent, or purchase and electricity
  base::Breakdown breakdown;                         ///< of the step time, in s
  std::vector<Gain> gains;                           ///< of 10 % more of each resource
  std::vector<int> ties;                             ///< of its list, counted from 1, those it cannot be told from
  int variants = 0;                                  ///< of a layout: others of it among the best that were kept
};

/// How wide the search went.
struct SearchOutcome {
  std::int64_t space = 0;
  std::int64_t evaluated = 0;
  std::int64_t pruned = 0;
  std::int64_t fitting = 0;
  double seconds = 0;
  bool exhaustive = true;
};

/// A change that makes an infeasible scenario feasible: what to write with --set, and what then comes out.
struct Change {
  base::Message what;
  std::string set;  ///< "path=value"
  TrainingOutcome then;
};

/// One step of the way from the hardware's peak down to what is achieved, per accelerator.
struct WaterfallStep {
  std::string name;      ///< message id
  double seconds = 0;    ///< of the step (or operator) that this loss takes
  double remaining = 0;  ///< FLOP/s per accelerator that are left after it
};

struct Waterfall {
  double peak = 0;  ///< FLOP/s per accelerator, dense, data sheet
  double achieved = 0;
  std::vector<WaterfallStep> steps;
};

/// One operator alone on one accelerator.
struct OperatorOutcome {
  std::string op;           ///< as the user wrote it
  std::string accelerator;  ///< catalogue id
  base::Estimate time;
  base::Estimate tflops;
  double flops = 0;
  double bytes = 0;      ///< through memory at least once
  double intensity = 0;  ///< FLOP per byte; the accelerator turns from memory to compute at `ridge`
  double ridge = 0;
  Waterfall waterfall;
  std::vector<base::Message> warnings;
  std::vector<Provenance> provenance;
};

/// What a verb answers; parts that a verb has no use for stay empty.
struct Outcome {
  std::string verb;
  Scenario scenario;
  std::uint64_t seed = 0;
  bool feasible = true;
  std::vector<base::Message> warnings;
  std::vector<Provenance> provenance;

  std::string model_name;
  double parameters = 0;
  double active_parameters = 0;
  std::optional<TrainingOutcome>
      training;  ///< the best choice, or the one simulated; what needs least memory when nothing fits
  std::vector<TrainingOutcome> choices;  ///< best first
  std::vector<TrainingOutcome> layouts;  ///< the best of each distinct layout, best first
  std::vector<TrainingOutcome> pareto;
  std::optional<SearchOutcome> search;
  std::vector<Change> nearest;  ///< when nothing fits
  std::optional<Waterfall> waterfall;
};

/// Facts of one catalogue entry for a column of a comparison: message id of the label → text.
struct FactColumn {
  std::string id;
  std::vector<std::pair<std::string, std::string>> facts;
};

/// Several answers, or several entries of the catalogue, side by side.
struct Comparison {
  std::vector<std::string> names;
  std::vector<Outcome> outcomes;  ///< of scenarios
  std::vector<FactColumn> facts;  ///< of catalogue entries, the same labels in each
};

}  // namespace headrace::scenario
