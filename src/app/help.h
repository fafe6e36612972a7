// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/command.h"
#include "report/language.h"
#include "report/terminal.h"

namespace headrace::app {

/// What `headrace` alone says: what it is, and five questions with the command that answers each.
std::string start_page(const report::Language& language, const report::Terminal& terminal);
/// What `headrace --help` says: every verb with a line.
std::string overview(const report::Language& language, const report::Terminal& terminal);
/// What `headrace VERB --help` says: usage, options with defaults, examples.
std::string help_of(const Command& command, const report::Language& language, const report::Terminal& terminal);

/// "-o, --output FILE".
std::string flag_usage(const Flag& flag);

}  // namespace headrace::app
