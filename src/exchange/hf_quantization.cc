// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_quantization.h"

namespace headrace::exchange {

void read_hf_quantization(const base::Value& root, const base::Value& language, HfFields&,
                          workload::Architecture& model) {
  const base::Value* config = find_path(root, "quantization_config");
  if (config == nullptr) config = find_path(language, "quantization_config");
  if (config == nullptr) return;
  const base::Value* method = find_path(*config, "quant_method");
  model.quantization = method != nullptr && method->is_scalar() ? method->raw() : "unknown";
}

}  // namespace headrace::exchange
