// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"
#include "base/value.h"
#include "verbs/import.h"

namespace headrace::app {
namespace {

base::Result<ExitCode> run(Session& session) {
  const auto& words = session.arguments().words;
  if (session.arguments().has("--list")) {
    CHECK_OK(write_stdout("hf-config  " + session.language().say("import.hf_config") + "\n"));
    return ExitCode::kAnswered;
  }
  if (words.size() != 2) return base::input_error({}, "import.two_words");
  if (words[0] != "hf-config")
    return base::input_error({}, "import.unknown_format", {words[0]}, base::nearest_hint(words[0], {"hf-config"}));
  TRY(const verbs::ModelImport model, verbs::import_hf_config(words[1], session.files()));
  CHECK_OK(session.deliver({.text = [&] { return verbs::import_text(model, session.language()); },
                            .json = [&] { return verbs::import_json(model); },
                            .csv = {}}));
  return ExitCode::kAnswered;
}

}  // namespace

Command import_command() {
  return {.name = "import",
          .words = "FORMAT FILE",
          .summary = "verb.import",
          .details = "verb.import.details",
          .reads_scenario = false,
          .own_flags = {Flag{.name = "--list", .kind = FlagKind::kSwitch, .help = "flag.list_imports"}},
          .run = run};
}

}  // namespace headrace::app
