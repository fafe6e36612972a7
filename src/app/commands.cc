// SPDX-License-Identifier: Apache-2.0
#include "app/command.h"

namespace headrace::app {

std::vector<Flag> Command::flags() const {
  std::vector<Flag> all = own_flags;
  if (reads_scenario) all.insert(all.end(), scenario_flags().begin(), scenario_flags().end());
  all.insert(all.end(), common_flags().begin(), common_flags().end());
  return all;
}

std::vector<Command> commands() {
  return {plan_command(),    simulate_command(),    explain_command(),   compare_command(),
          catalog_command(), validate_command(),    fit_command(),       import_command(),
          export_command(),  completions_command(), reference_command(), version_command()};
}

}  // namespace headrace::app
