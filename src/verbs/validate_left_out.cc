// SPDX-License-Identifier: Apache-2.0
#include "verbs/validate_left_out.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/value.h"
#include "judge/left_out.h"

namespace headrace::verbs {
namespace {

using judge::Fold;

struct Named {
  const char* name;
  Fold fold;
};
constexpr std::array kFolds{Named{"source", Fold::kSource}, Named{"accelerator", Fold::kAccelerator},
                            Named{"group", Fold::kGroup}};

/// What of the ledger is left out: a kind of fold, and one fold of it where a name is given.
struct Choice {
  Fold fold = Fold::kSource;
  std::string name;
};

base::Result<Choice> choice_of(const std::string& what) {
  const std::size_t equals = what.find('=');
  const std::string kind = what.substr(0, equals);
  std::vector<std::string> known;
  for (const Named& named : kFolds) {
    if (kind == named.name) return Choice{named.fold, equals == std::string::npos ? "" : what.substr(equals + 1)};
    known.emplace_back(named.name);
  }
  return base::input_error({"--leave-out", 0, 0}, "validate.unknown_fold", {kind}, base::nearest_hint(kind, known));
}

base::Result<void> check_name(const Choice& choice, const std::vector<judge::TrainingCase>& cases) {
  std::set<std::string> names;
  for (const auto& known : cases) names.insert(judge::fold_of(known, choice.fold));
  if (choice.name.empty() || names.contains(choice.name)) return {};
  return base::input_error({"--leave-out", 0, 0}, "validate.no_such_fold", {choice.name},
                           base::nearest_hint(choice.name, {names.begin(), names.end()}));
}

}  // namespace

base::Result<evidence::FamilyScore> validate_left_out(const std::string& what, const Context& context) {
  TRY(Choice choice, choice_of(what));
  // Users call an accelerator by any of its names; its fold has the catalogue's.
  if (const auto* accelerator = context.catalog.accelerators.find(choice.name);
      choice.fold == Fold::kAccelerator && accelerator != nullptr)
    choice.name = accelerator->id;
  TRY(const auto known, judge::built_in_training_cases(context.catalog));
  CHECK_OK(check_name(choice, known.cases));
  evidence::FamilyScore family;
  family.family = "training";
  family.rows = int(known.cases.size());
  TRY(family.scored, judge::predict_left_out(
                         known.cases, context.catalog.calibration, choice.fold,
                         {.fit = {}, .only = choice.name, .threads = context.threads, .progress = context.progress}));
  family.used = int(family.scored.size());
  family.metrics.push_back(evidence::score("step_time", family.scored));
  family.metrics.front().split = judge::split_name(choice.fold);
  family.groups = evidence::group_scores(family.scored);
  return family;
}

}  // namespace headrace::verbs
