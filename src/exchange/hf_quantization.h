// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/hf_fields.h"
#include "workload/architecture.h"

namespace headrace::exchange {

/// Reads how the checkpoint stores its weights from `quantization_config` (of the file or of its language part), or
/// where there is none from the hf_quant_config.json `beside` it; nullptr = no such file.
void read_hf_quantization(const base::Value& root, const base::Value& language, const base::Value* beside,
                          workload::Architecture& model);

}  // namespace headrace::exchange
