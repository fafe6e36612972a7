// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/value.h"

namespace headrace::tests {

/// Where a document breaks a JSON schema, as paths with a reason; understands type, required, properties,
/// additionalProperties: false, items, enum and $ref to #/definitions.
std::vector<std::string> schema_errors(const base::Value& document, const base::Value& schema);

}  // namespace headrace::tests
