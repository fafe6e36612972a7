// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_verb.h"

#include "report/outcome_json.h"

namespace headrace::app {

base::Result<std::string> only_word(const Session& session) {
  const auto& words = session.arguments().words;
  if (words.size() > 1)
    return base::input_error({}, "arguments.too_many_words", {std::string(session.command().name), words[1]});
  return words.empty() ? std::string() : words.front();
}

base::Result<ExitCode> run_scenario_verb(Session& session, ScenarioVerb verb, OutcomeText text, OutcomeTrace trace) {
  TRY(const std::string word, only_word(session));
  TRY(const scenario::Scenario scenario, session.scenario(word));
  if (session.arguments().has("--show-defaults")) {
    CHECK_OK(write_stdout(report::scenario_text(scenario, session.reader())));
    return ExitCode::kAnswered;
  }
  TRY(const scenario::Outcome outcome, verb(scenario, session.context()));
  Session::Answer answer{.text = [&] { return text(outcome, session.reader()); },
                         .json = [&] { return report::outcome_json(outcome, session.language()); },
                         .csv = [&] { return report::outcome_csv(outcome); }};
  if (trace)
    answer.trace = [&]() -> base::Result<report::TraceText> {
      TRY(const timeline::Trace whole, trace(outcome, session.context()));
      return report::trace_json(whole, session.language());
    };
  CHECK_OK(session.deliver(answer));
  return outcome.feasible ? ExitCode::kAnswered : ExitCode::kInfeasible;
}

}  // namespace headrace::app
