// SPDX-License-Identifier: Apache-2.0
#include "judge/doubts.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/embedded.h"

namespace headrace::judge {

evidence::Setting setting_of(const training::Job& job, const catalog::Accelerator& accelerator,
                             const catalog::Software& software, double accelerators) {
  return {.source = {},
          .accelerator = accelerator.id,
          .family = accelerator.family,
          .framework = software.framework,
          .compute = job.numerics.compute,
          .experts = workload::has_experts(job.model),
          .accelerators = accelerators,
          .sequence = static_cast<double>(job.sequence),
          .hidden = static_cast<double>(job.model.hidden)};
}

evidence::Setting setting_of(const TrainingCase& known) {
  const Place& place = known.place;
  auto setting = setting_of(known.job, *place.accelerator, place.software, place.accelerators);
  setting.source = known.source;
  return setting;
}

std::vector<evidence::Setting> settings_of(const std::vector<TrainingCase>& cases) {
  std::vector<evidence::Setting> settings;
  for (const auto& known : cases) settings.push_back(setting_of(known));
  return settings;
}

base::Result<std::vector<evidence::Setting>> built_in_settings(const catalog::Catalog& catalog) {
  TRY(const auto all, built_in_training_cases(catalog));
  return settings_of(all.cases);
}

std::vector<evidence::Doubts> doubts_without_own_source(const std::vector<TrainingCase>& cases,
                                                        const std::vector<evidence::Setting>& measured) {
  std::map<std::string, evidence::Experience> without;
  std::vector<evidence::Doubts> all;
  for (const auto& known : cases) {
    auto found = without.find(known.source);
    if (found == without.end())
      found = without.emplace(known.source, evidence::experience_without(measured, known.source)).first;
    all.push_back(evidence::doubts_of(setting_of(known), found->second));
    if (known.unstated > 0) all.back()["unstated"] = known.unstated;
  }
  return all;
}

evidence::Scored scored_of(const TrainingCase& known, double predicted, const evidence::Doubts& doubts) {
  const auto setting = setting_of(known);
  const auto sweep =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", known.source, known.accelerator, known.model, setting.accelerators,
                  setting.sequence, known.strategy.global_batch, base::dtype_name(setting.compute));
  return {known.id, known.source, known.accelerator, known.model, known.measured, predicted, sweep, doubts};
}

}  // namespace headrace::judge
