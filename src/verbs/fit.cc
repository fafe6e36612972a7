// SPDX-License-Identifier: Apache-2.0
#include "verbs/fit.h"

#include <fmt/core.h>

#include "base/csv.h"
#include "base/embedded.h"
#include "catalog/calibration_text.h"

namespace headrace::verbs {

base::Result<FitAnswer> fit(bool leave_out, const Context& context) {
  constexpr std::string_view kFolder = "catalog/calibration/";
  FitAnswer answer;
  TRY(const judge::LeftOut left_out, leave_out
                                         ? judge::compute_left_out(context.catalog, context.threads, context.progress)
                                         : judge::built_in_left_out());
  if (leave_out) answer.left_out = judge::left_out_csv(left_out);
  TRY(auto refit, judge::refit(context.catalog, left_out, context.progress));
  answer.constants = std::move(refit.constants);
  for (const base::EmbeddedFile& file : base::embedded_under(kFolder)) {
    TRY(std::string text, catalog::rewrite_calibration(file.text, refit.calibration));
    answer.as_shipped = answer.as_shipped && text == file.text;
    answer.files.push_back({std::string(file.path.substr(kFolder.size())), std::move(text)});
  }
  return answer;
}

std::string fit_csv(const FitAnswer& answer) {
  std::string out = base::csv_line({"key", "unit", "shipped", "fitted", "low", "high", "rows", "sources"});
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  for (const catalog::Refitted& one : answer.constants)
    out += base::csv_line({one.key, one.fitted.unit, number(one.shipped.value), number(one.fitted.value),
                           number(one.fitted.low), number(one.fitted.high), std::to_string(one.fitted.rows),
                           std::to_string(one.fitted.sources)});
  return out;
}

}  // namespace headrace::verbs
