// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/files.h"
#include "report/language.h"
#include "workload/engine_view.h"
#include "workload/parameters.h"

namespace headrace::verbs {

/// A config.json as Headrace reads it: the architecture, its counts, and what a serving engine takes from it.
struct ModelImport {
  workload::Architecture architecture;
  workload::Parameters parameters;
  workload::EngineView engine;
  double checkpoint_bytes = 0;
};

/// Reads the config.json at `path`.
base::Result<ModelImport> import_hf_config(const std::string& path, const base::FileSystem& files);

/// `{headrace, verb, format, parameters{total, active, ...}, architecture{...}, warnings[]}`; what a serving engine
/// reads stands in `architecture` under the engine's own names (hidden_size, head_size, total_num_kv_heads, ...).
std::string import_json(const ModelImport& model);

/// The same for a terminal: the counts first, then the shape of each kind of layer, then what was guessed.
std::string import_text(const ModelImport& model, const report::Language& language);

}  // namespace headrace::verbs
