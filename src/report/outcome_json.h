// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evidence/score.h"
#include "report/language.h"
#include "scenario/outcome.h"

namespace headrace::report {

/// Outcomes as JSON in the shape of docs/schema; the same outcome gives the same bytes. Sentences are in the language
/// given.
std::string outcome_json(const scenario::Outcome& outcome, const Language& language);
std::string operator_json(const scenario::OperatorOutcome& outcome, const Language& language);
std::string comparison_json(const scenario::Comparison& comparison, const Language& language);
std::string validation_json(const std::vector<evidence::FamilyScore>& families);

/// Choices (or the one configuration) as a table, one line each, with a header.
std::string outcome_csv(const scenario::Outcome& outcome);
std::string comparison_csv(const scenario::Comparison& comparison, const Language& language);

}  // namespace headrace::report
