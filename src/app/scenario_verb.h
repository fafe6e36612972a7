// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command.h"
#include "app/session.h"
#include "scenario/outcome.h"
#include "timeline/trace.h"

namespace headrace::app {

using ScenarioVerb = base::Result<scenario::Outcome> (*)(const scenario::Scenario&, const verbs::Context&);
/// What a verb's outcome looks like operation by operation; nullptr where there is no such thing.
using OutcomeTrace = base::Result<timeline::Trace> (*)(const scenario::Outcome&, const verbs::Context&);
using OutcomeText = std::string (*)(const scenario::Outcome&, const report::Reader&);

/// Runs a verb on the one scenario that the arguments describe, or shows that scenario with --show-defaults, and
/// delivers the answer.
base::Result<ExitCode> run_scenario_verb(Session& session, ScenarioVerb verb, OutcomeText text,
                                         OutcomeTrace trace = nullptr);

/// The only word, or none; more are an error.
base::Result<std::string> only_word(const Session& session);

}  // namespace headrace::app
