// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "app/scenario_verb.h"
#include "report/outcome_json.h"
#include "scenario/built_in.h"
#include "verbs/compare.h"

namespace headrace::app {
namespace {

/// What a word of `compare SCENARIO platform network …` changes in the scenario before it.
std::string path_of(const std::string& word, const catalog::Catalog& catalog) {
  if (catalog.platforms.find(word) || catalog.accelerators.find(word)) return "center.platform";
  if (catalog.networks.find(word)) return "center.network";
  return {};
}

/// A word that names nothing, with the nearest of all that it could have named.
base::Error unknown_word(const std::string& word, const catalog::Catalog& catalog) {
  std::vector<std::string> known;
  for (const scenario::BuiltIn& built_in : scenario::built_ins()) known.push_back(built_in.id);
  for (const auto& [id, platform] : catalog.platforms.entries()) known.push_back(id);
  for (const auto& [id, accelerator] : catalog.accelerators.entries()) known.push_back(id);
  for (const auto& [id, network] : catalog.networks.entries()) known.push_back(id);
  return {.what = {"compare.unknown", {word}}, .where = {}, .hint = base::nearest_hint(word, known)};
}

/// The scenario that a word names.
base::Result<scenario::Scenario> scenario_of(Session& session, const std::string& word,
                                             const catalog::Catalog& catalog) {
  auto scenario = session.scenario(word);
  if (!scenario && scenario.error().what.id == "scenario.unknown")
    return tl::unexpected<base::Error>(unknown_word(word, catalog));
  return scenario;
}

/// One column per word: a scenario, or the last scenario on another platform or network.
base::Result<std::vector<verbs::Contender>> contenders(Session& session, const catalog::Catalog& catalog) {
  std::vector<verbs::Contender> out;
  std::string base_word;
  for (const std::string& word : session.arguments().words) {
    const std::string path = path_of(word, catalog);
    if (path.empty() || (out.empty() && !session.arguments().has("--model"))) {
      base_word = word;
      TRY(scenario::Scenario scenario, scenario_of(session, word, catalog));
      out.push_back({word, std::move(scenario)});
    } else {
      TRY(scenario::Scenario scenario, session.scenario_with(base_word, path, word));
      out.push_back({word, std::move(scenario)});
    }
  }
  return out;
}

/// The last `--set path=[a, b]` that lists values: with a single scenario, each is a column.
struct Listed {
  std::string path;
  std::vector<base::Value> values;
};

std::optional<Listed> listed_values(const Session& session) {
  std::optional<Listed> last;
  for (const std::string& assignment : session.arguments().all("--set")) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) continue;
    const auto value = base::read_yaml(assignment.substr(equals + 1), "--set");
    if (value && value->is_list() && value->items().size() > 1)
      last = Listed{assignment.substr(0, equals), value->items()};
  }
  return last;
}

/// One column per value that a `--set` lists for one scenario.
base::Result<std::vector<verbs::Contender>> variations(Session& session, const std::string& word,
                                                       const Listed& listed) {
  std::vector<verbs::Contender> out;
  for (const base::Value& value : listed.values) {
    TRY(scenario::Scenario scenario, session.scenario_with(word, listed.path, value.raw()));
    out.push_back({value.raw(), std::move(scenario)});
  }
  return out;
}

base::Result<ExitCode> deliver(Session& session, const scenario::Comparison& comparison) {
  CHECK_OK(session.deliver({.text = [&] { return report::comparison_text(comparison, session.reader()); },
                            .json = [&] { return report::comparison_json(comparison, session.language()); },
                            .csv = [&] { return report::comparison_csv(comparison, session.language()); }}));
  const auto feasible = [](const scenario::Outcome& outcome) { return outcome.feasible; };
  const bool any =
      comparison.outcomes.empty() || std::any_of(comparison.outcomes.begin(), comparison.outcomes.end(), feasible);
  return any ? ExitCode::kAnswered : ExitCode::kInfeasible;
}

base::Result<ExitCode> run(Session& session) {
  const auto& words = session.arguments().words;
  TRY(const catalog::Catalog* catalog, session.catalog());
  if (const auto listed = listed_values(session);
      listed && words.size() == 1 && path_of(words.front(), *catalog).empty()) {
    TRY(const std::vector<verbs::Contender> all, variations(session, words.front(), *listed));
    TRY(const scenario::Comparison comparison, verbs::compare(all, session.context()));
    return deliver(session, comparison);
  }
  if (words.size() < 2 && !(words.size() == 1 && session.arguments().has("--model")))
    return base::input_error({}, "compare.two_words");
  if (!session.arguments().has("--model")) {
    if (const auto entries = verbs::compare_entries(words, *catalog)) return deliver(session, *entries);
  }
  // An entry of the catalogue first: the words after it are meant to be others of its kind.
  if (!session.arguments().has("--model") && !path_of(words.front(), *catalog).empty()) {
    for (const std::string& word : words) {
      if (path_of(word, *catalog).empty()) return tl::unexpected<base::Error>(unknown_word(word, *catalog));
    }
    return base::input_error({}, "compare.two_words");
  }
  TRY(const std::vector<verbs::Contender> all, contenders(session, *catalog));
  TRY(const scenario::Comparison comparison, verbs::compare(all, session.context()));
  return deliver(session, comparison);
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .words = "A B [...]",
          .summary = "verb.compare",
          .details = "verb.compare.details",
          .reads_scenario = true,
          .own_flags = {},
          .run = run};
}

}  // namespace headrace::app
