// SPDX-License-Identifier: Apache-2.0
#include "verbs/import.h"

#include "exchange/hf_config.h"

namespace headrace::verbs {

base::Result<ModelImport> import_hf_config(const std::string& path, const base::FileSystem& files) {
  TRY(workload::Architecture architecture, exchange::read_hf_checkpoint(path, files));
  ModelImport model;
  model.parameters = workload::parameters(architecture);
  model.engine = workload::engine_view(architecture);
  model.checkpoint_bytes = workload::checkpoint_bytes(architecture);
  model.architecture = std::move(architecture);
  return model;
}

}  // namespace headrace::verbs
