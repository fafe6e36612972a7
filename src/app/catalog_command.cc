// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"
#include "report/catalog_text.h"
#include "verbs/catalog.h"

namespace headrace::app {
namespace {

base::Result<report::CatalogView> view_of(const Session& session, const catalog::Catalog& catalog) {
  const auto file = session.arguments().text("--check");
  if (!file) return verbs::show_catalog(session.arguments().words, catalog);
  if (!session.arguments().words.empty())
    return base::input_error({"--check", 0, 0}, "arguments.no_words",
                             {"catalog --check", session.arguments().words.front()});
  return verbs::check_catalog(*file, catalog, session.files());
}

base::Result<ExitCode> run(Session& session) {
  TRY(const catalog::Catalog* catalog, session.catalog());
  TRY(const report::CatalogView view, view_of(session, *catalog));
  CHECK_OK(session.deliver(
      {.text = [&] { return report::catalog_text(view, session.language(), session.reader().terminal); },
       .json = [&] { return report::catalog_json(view, session.language()); },
       .csv = {}}));
  const auto* check = std::get_if<report::CatalogCheck>(&view);
  return check && !check->problems.empty() ? ExitCode::kInput : ExitCode::kAnswered;
}

}  // namespace

Command catalog_command() {
  return {.name = "catalog",
          .words = "[KIND] [ID] | search WORD",
          .summary = "verb.catalog",
          .details = "verb.catalog.details",
          .reads_scenario = false,
          .own_flags = {Flag{.name = "--check", .value = "FILE", .kind = FlagKind::kFile, .help = "flag.check"}},
          .run = run};
}

}  // namespace headrace::app
