// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/value.h"
#include "workload/architecture.h"

namespace headrace::workload {

/// Reads the layers of one model of the catalogue, first layer first: what all layers share, then where attention,
/// experts and windows are.
base::Result<std::vector<LayerKind>> read_model_layers(base::Fields& fields, const Architecture& model);

}  // namespace headrace::workload
