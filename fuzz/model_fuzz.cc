// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "fuzz.h"
#include "workload/model_file.h"
#include "workload/parameters.h"

using namespace headrace;

/// workload::read_models: an error has a place; what is accepted has a name, a source and a finite count.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto models = workload::read_models(text, "f.yaml");
  fuzz::require_good(models, text);
  if (!models) return 0;
  for (const workload::Model& model : *models) {
    fuzz::require(!model.sources.empty(), "a model has a source");
    const auto counts = workload::parameters(model.architecture);
    fuzz::require(std::isfinite(counts.total) && counts.total >= 0, "the parameter count is finite");
    fuzz::require(std::isfinite(counts.active) && counts.active >= 0, "the active count is finite");
    fuzz::require(std::isfinite(model.stated_parameters), "the stated count is finite");
  }
  return 0;
}
