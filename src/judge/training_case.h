// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "catalog/catalog.h"
#include "evidence/score.h"
#include "judge/training_facts.h"
#include "judge/training_row.h"
#include "training/step.h"

namespace headrace::judge {

/// Where a case ran, as facts of the catalogue; constants are joined when it is predicted, so that a fit may change
/// them.
struct Place {
  const catalog::Accelerator* accelerator = nullptr;
  const catalog::Platform* platform = nullptr;
  const catalog::Network* network = nullptr;  ///< nullptr: the row's own bandwidth, or none
  catalog::Software software;                 ///< the catalogue's, with what the row's notes say over it
  double network_bandwidth = 0;  ///< bytes/s one way per accelerator as the row states it; 0 = the catalogue's
  int domain = 0;                ///< accelerators in a scale-up domain as the row states it; 0 = the platform's
  int cores = 1;                 ///< ranks per accelerator, where the row counts cores
  int accelerators = 0;          ///< ranks
};

/// One measured training step as the engine's own types.
struct TrainingCase {
  std::string id, source, accelerator, model;
  Place place;
  training::Job job;
  scenario::Strategy strategy;
  double measured = 0;  ///< s per step
  double trust = 1;     ///< weight in a fit: less for each part of the configuration that was not stated
  int unstated = 0;     ///< parts of the configuration that the row leaves open and its software decides
};

/// All cases of a table, and why the other rows are none.
struct TrainingCases {
  std::vector<TrainingCase> cases;
  std::map<std::string, int> skipped;  ///< reason → count
};

/// The catalogue's models by any of their names, each looked up once.
class PublicModels {
 public:
  /// nullptr when the catalogue has no model of this name.
  const workload::Architecture* find(const std::string& name);

 private:
  std::map<std::string, std::optional<workload::Architecture>> known_;
};

/// A case, or the reason (a message id) why the row cannot be predicted.
using CaseOrReason = tl::expected<TrainingCase, std::string>;

inline tl::unexpected<std::string> skip(std::string reason) { return tl::unexpected<std::string>(std::move(reason)); }

base::Result<TrainingCases> training_cases(const base::CsvTable& table, const catalog::Catalog& catalog);
/// Those of the ledger built into the program.
base::Result<TrainingCases> built_in_training_cases(const catalog::Catalog& catalog);
CaseOrReason training_case(const TrainingRow& row, const TrainingFacts& facts, const catalog::Catalog& catalog,
                           PublicModels& models);

/// The dense or mixture-of-experts decoder that the row's own columns state; whether its MLP is gated and its
/// embeddings are tied follows from the parameter count where it is given, else from the model's family.
tl::expected<workload::Architecture, std::string> architecture_of(const TrainingRow& row, const TrainingFacts& facts,
                                                                  PublicModels& models);

/// Which accelerators, links and software a row ran on.
tl::expected<Place, std::string> place_of(const TrainingRow& row, const TrainingFacts& facts,
                                          const catalog::Catalog& catalog);

/// Bytes/s one way per accelerator that the network cell states, e.g. "800 Gb/s per node"; nothing when it states none.
std::optional<double> stated_bandwidth(const std::string& network, double per_node);

/// Seconds per step from the row's own metric; TFLOP/s figures by the convention the row states.
tl::expected<double, std::string> measured_step(const TrainingRow& row, const TrainingCase& known);

base::Result<training::Machine> machine_of(const Place& place, const catalog::Calibration& calibration);
/// What of a case no constant changes.
struct CaseWork {
  training::LayerWorks layers;
  training::Layout layout;
};
CaseWork work_of(const TrainingCase& known);

/// Seconds of a case's step on its machine.
double step_seconds(const TrainingCase& known, const training::Machine& machine, const CaseWork& work);
/// The same by the closed form that screens strategies: near the graph, and much faster.
double closed_step_seconds(const TrainingCase& known, const training::Machine& machine, const CaseWork& work);
/// Predicted seconds per step.
base::Result<double> predict(const TrainingCase& known, const catalog::Calibration& calibration);

}  // namespace headrace::judge
