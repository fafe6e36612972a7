// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/value.h"

namespace headrace::scenario {

/// Puts `text`, read as YAML, at a dotted path of a document, making maps on the way. `origin` names the option in
/// errors and in --show-defaults.
base::Result<void> edit(base::Value& document, std::string_view path, std::string_view text, const std::string& origin);

/// The edit of `--set path.to.key=value`.
base::Result<void> edit_set(base::Value& document, const std::string& assignment);

/// The same value standing at another place, members and items too.
base::Value moved_to(const base::Value& value, const base::Place& place);

}  // namespace headrace::scenario
