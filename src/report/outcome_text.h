// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evidence/score.h"
#include "report/language.h"
#include "report/terminal.h"
#include "scenario/outcome.h"

namespace headrace::report {

/// What a reader of the terminal sees: the conclusion, then why, then what to ask next.
struct Reader {
  const Language& language;
  Terminal terminal;
  bool verbose = false;
};

std::string plan_text(const scenario::Outcome& outcome, const Reader& reader);
std::string simulate_text(const scenario::Outcome& outcome, const Reader& reader);
std::string explain_text(const scenario::Outcome& outcome, const Reader& reader);
std::string operator_text(const scenario::OperatorOutcome& outcome, const Reader& reader);
std::string comparison_text(const scenario::Comparison& comparison, const Reader& reader);
std::string validation_text(const std::vector<evidence::FamilyScore>& families, const Reader& reader);

/// The resolved scenario as YAML, each line with the origin of its value as a comment.
std::string scenario_text(const scenario::Scenario& scenario, const Reader& reader);

}  // namespace headrace::report
