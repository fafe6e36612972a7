// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/hf_fields.h"
#include "workload/architecture.h"

namespace headrace::exchange {

/// Reads how the checkpoint stores its weights from `quantization_config` (of the file or of its language part).
void read_hf_quantization(const base::Value& root, const base::Value& language, HfFields& fields,
                          workload::Architecture& model);

}  // namespace headrace::exchange
