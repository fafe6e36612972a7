// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/csv.h"
#include "catalog/catalog.h"
#include "judge/memory_facts.h"
#include "training/memory.h"

namespace headrace::judge {

/// One row of a memory table as the engine's own types.
struct MemoryCase {
  std::string id, source, accelerator, model;
  training::Job job;
  training::Machine machine;  ///< software and calibration only; memory asks for no more
  scenario::Strategy strategy;
  training::MemoryQuantity quantity = training::MemoryQuantity::kAllocated;
  double measured = 0;  ///< bytes on the fullest accelerator; 0 where the row gives no figure
  double capacity = 0;  ///< bytes of the accelerator; 0 = unknown
  bool ran_out = false;
};

/// A case, or the reason why the row cannot be predicted.
using MemoryCaseOrReason = tl::expected<MemoryCase, std::string>;

/// Models already looked up, by the names that rows write; no layers where the catalogue has none.
using KnownModels = std::map<std::string, workload::Architecture>;

MemoryCaseOrReason memory_case(const base::CsvTable& table, const base::CsvTable::Row& row, const MemoryFacts& facts,
                               const catalog::Catalog& catalog, KnownModels& models);

/// All cases of a table, and why the other rows of training runs are none.
struct MemoryCases {
  std::vector<MemoryCase> cases;
  int rows = 0;
  std::map<std::string, int> skipped;  ///< reason → count
};
base::Result<MemoryCases> memory_cases(const base::CsvTable& table, const catalog::Catalog& catalog);
/// Those of the ledger built into the program.
base::Result<MemoryCases> built_in_memory_cases(const catalog::Catalog& catalog);

/// Predicted bytes of the quantity that the row states.
double predict(const MemoryCase& known);
/// Whether the model says that the run does not fit: what must be allocated, with context and communicators, exceeds
/// the device.
bool refused(const MemoryCase& known);

}  // namespace headrace::judge
