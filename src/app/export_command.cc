// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"

namespace headrace::app {
namespace {

base::Result<ExitCode> run(Session& session) {
  if (!session.arguments().has("--list")) return base::input_error({}, "export.later");
  CHECK_OK(write_stdout(session.language().say("export.none") + "\n"));
  return ExitCode::kAnswered;
}

}  // namespace

Command export_command() {
  return {.name = "export",
          .words = "--list",
          .summary = "verb.export",
          .details = {},
          .reads_scenario = false,
          .own_flags = {Flag{.name = "--list", .kind = FlagKind::kSwitch, .help = "flag.list_exports"}},
          .run = run};
}

}  // namespace headrace::app
