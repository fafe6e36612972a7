// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/value.h"

namespace headrace::fuzz {

/// A document as JSON text, every scalar as a string: the same structure and texts.
std::string as_json(const base::Value& value);

/// Equal kinds, keys and texts, places aside.
bool same(const base::Value& a, const base::Value& b);

/// Asks every scalar for every type: each answer is a value or an error with a place.
void read_all_types(const base::Value& value);

}  // namespace headrace::fuzz
