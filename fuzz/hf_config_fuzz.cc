// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "exchange/hf_config.h"
#include "fuzz.h"
#include "workload/parameters.h"

using namespace headrace;

/// exchange::read_hf_config: an error has a place; what is accepted has finite counts that add up.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto model = exchange::read_hf_config(text, "config.json");
  fuzz::require_good(model, text);
  if (!model) return 0;
  const auto counts = workload::parameters(*model);
  fuzz::require(std::isfinite(counts.total) && counts.total >= 0, "the parameter count is finite");
  bool shared = false;  // weights that several layers use count once in the total
  for (const auto& kind : model->kinds) shared = shared || kind.shares_weights;
  fuzz::require(shared || counts.active <= counts.total * (1 + 1e-9), "no more parameters are active than there are");
  fuzz::require(std::isfinite(workload::checkpoint_bytes(*model)), "the checkpoint is finite");
  for (const int layer : model->layers) {
    fuzz::require(layer >= 0 && static_cast<std::size_t>(layer) < model->kinds.size(), "each layer has its kind");
  }
  return 0;
}
