// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"
#include "report/fit_text.h"
#include "verbs/fit.h"

namespace headrace::app {
namespace {

base::Result<ExitCode> run(Session& session) {
  const Arguments& arguments = session.arguments();
  if (!arguments.words.empty()) return base::input_error({}, "arguments.no_words", {"fit", arguments.words.front()});
  TRY([[maybe_unused]] const catalog::Catalog* loaded, session.catalog());
  TRY(const auto answer, verbs::fit(arguments.has("--left-out"), session.context()));
  std::vector<base::FileText> files;
  if (const auto folder = arguments.text("--into"))
    for (const base::FileText& file : answer.files) files.push_back({*folder + "/" + file.path, file.text});
  if (const auto path = arguments.text("--left-out")) files.push_back({*path, answer.left_out});
  CHECK_OK(
      session.deliver({.text = [&] { return report::fit_text(answer.constants, answer.as_shipped, session.reader()); },
                       .json = [&] { return report::fit_json(answer.constants, answer.as_shipped); },
                       .csv = [&] { return verbs::fit_csv(answer); },
                       .files = std::move(files)}));
  return arguments.has("--check") && !answer.as_shipped ? ExitCode::kInfeasible : ExitCode::kAnswered;
}

}  // namespace

Command fit_command() {
  return {.name = "fit",
          .words = "",
          .summary = "verb.fit",
          .details = "verb.fit.details",
          .reads_scenario = false,
          .own_flags = {Flag{.name = "--into", .value = "DIR", .kind = FlagKind::kFile, .help = "flag.into"},
                        Flag{.name = "--left-out", .value = "FILE", .kind = FlagKind::kFile, .help = "flag.left_out"},
                        Flag{.name = "--check", .kind = FlagKind::kSwitch, .help = "flag.check_fit"}},
          .run = run};
}

}  // namespace headrace::app
