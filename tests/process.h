// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "case_file.h"

namespace headrace::tests {

/// Runs a program in `folder` without a terminal, colour or language, and gives what it printed. Past the timeout its
/// process group is killed and `exit` is 124; a program that a signal ends has 128 + the signal.
Printed run_process(const std::vector<std::string>& words, const std::string& folder, int timeout_seconds);

}  // namespace headrace::tests
