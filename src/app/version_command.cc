// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"

namespace headrace::app {
namespace {

base::Result<ExitCode> run(Session& session) {
  const auto& words = session.arguments().words;
  if (!words.empty()) return base::input_error({}, "arguments.no_words", {"version", words.front()});
  CHECK_OK(write_stdout("headrace " HEADRACE_VERSION "\n"));
  return ExitCode::kAnswered;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .words = "",
          .summary = "verb.version",
          .details = {},
          .reads_scenario = false,
          .own_flags = {},
          .run = run};
}

}  // namespace headrace::app
