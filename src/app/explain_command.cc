// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_verb.h"
#include "report/outcome_json.h"
#include "scenario/read.h"
#include "verbs/explain_operator.h"
#include "verbs/plan.h"

namespace headrace::app {
namespace {

/// The software of a lone operator where none is named: the one that a scenario without software would get.
base::Result<std::string> software_of(Session& session) {
  if (const auto given = session.arguments().text("--software")) return *given;
  TRY(const catalog::Catalog* catalog, session.catalog());
  return scenario::default_software(*catalog);
}

base::Result<ExitCode> explain_op(Session& session, const std::string& op) {
  const auto on = session.arguments().text("--on");
  if (!on) return base::input_error({"--op", 0, 0}, "operator.no_accelerator");
  if (!session.arguments().words.empty())
    return base::input_error({"--op", 0, 0}, "operator.no_scenario", {session.arguments().words.front()});
  TRY(const std::string software, software_of(session));
  TRY([[maybe_unused]] const catalog::Catalog* loaded, session.catalog());
  TRY(const scenario::OperatorOutcome outcome, verbs::explain_operator(op, *on, software, session.context()));
  CHECK_OK(session.deliver({.text = [&] { return report::operator_text(outcome, session.reader()); },
                            .json = [&] { return report::operator_json(outcome, session.language()); },
                            .csv = {}}));
  return ExitCode::kAnswered;
}

base::Result<ExitCode> run(Session& session) {
  if (const auto op = session.arguments().text("--op")) return explain_op(session, *op);
  return run_scenario_verb(session, verbs::explain, report::explain_text);
}

}  // namespace

Command explain_command() {
  return {.name = "explain",
          .words = "SCENARIO | --op OP --on ACCELERATOR",
          .summary = "verb.explain",
          .details = "verb.explain.details",
          .reads_scenario = true,
          .own_flags = {Flag{.name = "--op", .value = "OP", .help = "flag.op"}},
          .run = run};
}

}  // namespace headrace::app
