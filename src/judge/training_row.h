// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/csv.h"
#include "base/result.h"

namespace headrace::judge {

/// One row of a table with the columns of training.csv, numbers read; what the row leaves empty stays empty.
struct TrainingRow {
  std::string id, source, accelerator, model, framework, metric, precision, data_parallel, recompute, sequence_parallel,
      network, convention, notes;
  std::optional<double> year, accelerators, per_node, parameters, layers, hidden, ffn, heads, kv_heads, vocabulary,
      experts, experts_per_token, sequence, global_batch, micro_batch, tensor, pipeline, virtual_pipeline, context,
      expert, data, value;

  [[nodiscard]] bool notes_say(const std::string& phrase) const { return notes.find(phrase) != std::string::npos; }
};

/// Cells that should hold numbers and don't are errors with a place.
base::Result<TrainingRow> read_training_row(const base::CsvTable& table, const base::CsvTable::Row& row);

/// The repository or paper behind an address, all its releases together: owner/repository on GitHub, else host and
/// first folder.
std::string source_of(const std::string& url);

}  // namespace headrace::judge
