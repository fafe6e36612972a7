// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/figures.h"
#include "report/outcome_text.h"

/// The paragraphs that several text reports share; each ends with a line feed.
namespace headrace::report {

/// "Llama-3-70B on 128 × dgx-h100 (1,024 GPUs), 15T tokens, bf16".
std::string headline(const scenario::Outcome& outcome, const Reader& reader);
/// What the run takes, the strategy, the step: the conclusion.
std::string conclusion(const scenario::Outcome& outcome, const scenario::TrainingOutcome& choice, const Reader& reader);
/// "Bound by: …" with the parts that take at least one percent, largest first.
std::string bound_line(const scenario::TrainingOutcome& choice, const Reader& reader);
/// "+10 % of …".
std::string gain_line(const scenario::TrainingOutcome& choice, const Reader& reader);
std::string warning_lines(const std::vector<base::Message>& warnings, const Reader& reader);
/// The bar for a fraction from 0 to 1, `columns` wide in eighths of a column.
std::string bar(double fraction, int columns);
/// An indented paragraph that fits the terminal.
std::string paragraph(const std::string& text, const Reader& reader, int indent = 2);
/// "--set strategy.tensor=8 …": the options that choose this strategy.
std::string set_options(const scenario::Strategy& strategy);
/// How the user would name the scenario again: a built-in's name, a file, or flags.
std::string called(const scenario::Scenario& scenario);

}  // namespace headrace::report
