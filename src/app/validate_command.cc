// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_verb.h"
#include "report/outcome_json.h"
#include "verbs/accuracy.h"
#include "verbs/validate.h"

namespace headrace::app {
namespace {

base::Result<ExitCode> run(Session& session) {
  const Arguments& arguments = session.arguments();
  if (!arguments.words.empty())
    return base::input_error({}, "arguments.no_words", {"validate", arguments.words.front()});
  TRY([[maybe_unused]] const catalog::Catalog* loaded, session.catalog());
  const verbs::ValidateOptions options{arguments.all("--family"), arguments.all("--evidence"),
                                       arguments.text("--leave-out").value_or("")};
  TRY(const auto families, verbs::validate(options, session.context()));
  std::vector<base::FileText> files;
  if (const auto rows = arguments.text("--rows")) files.push_back({*rows, verbs::rows_csv(families)});
  if (const auto path = arguments.text("--accuracy")) {
    TRY(std::string page, session.context().files.read(*path));
    TRY(page, verbs::accuracy_page(std::move(page), session.context()));
    files.push_back({*path, std::move(page)});
  }
  CHECK_OK(session.deliver({.text = [&] { return report::validation_text(families, session.reader()); },
                            .json = [&] { return report::validation_json(families); },
                            .csv = [&] { return verbs::rows_csv(families); },
                            .files = std::move(files)}));
  return ExitCode::kAnswered;
}

}  // namespace

Command validate_command() {
  return {.name = "validate",
          .words = "",
          .summary = "verb.validate",
          .details = "verb.validate.details",
          .reads_scenario = false,
          .own_flags = {Flag{.name = "--family",
                             .value = "FAMILY",
                             .kind = FlagKind::kChoice,
                             .help = "flag.family",
                             .otherwise = "default.all",
                             .choices = "training memory",
                             .repeats = true},
                        Flag{.name = "--evidence",
                             .value = "FILE",
                             .kind = FlagKind::kFile,
                             .help = "flag.evidence",
                             .otherwise = "default.evidence",
                             .repeats = true},
                        Flag{.name = "--leave-out", .value = "KEY[=NAME]", .help = "flag.leave_out"},
                        Flag{.name = "--rows", .value = "FILE", .kind = FlagKind::kFile, .help = "flag.rows"},
                        Flag{.name = "--accuracy", .value = "FILE", .kind = FlagKind::kFile, .help = "flag.accuracy"}},
          .run = run};
}

}  // namespace headrace::app
