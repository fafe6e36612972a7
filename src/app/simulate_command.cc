// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_verb.h"
#include "verbs/plan.h"
#include "verbs/trace.h"

namespace headrace::app {

Command simulate_command() {
  return {.name = "simulate",
          .words = "SCENARIO",
          .summary = "verb.simulate",
          .details = "verb.simulate.details",
          .reads_scenario = true,
          .own_flags = {},
          .run = [](Session& session) {
            return run_scenario_verb(session, verbs::simulate, report::simulate_text, verbs::trace);
          }};
}

}  // namespace headrace::app
