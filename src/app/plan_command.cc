// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_verb.h"
#include "verbs/plan.h"

namespace headrace::app {

Command plan_command() {
  return {.name = "plan",
          .words = "SCENARIO",
          .summary = "verb.plan",
          .details = "verb.plan.details",
          .reads_scenario = true,
          .own_flags = {},
          .run = [](Session& session) { return run_scenario_verb(session, verbs::plan, report::plan_text); }};
}

}  // namespace headrace::app
