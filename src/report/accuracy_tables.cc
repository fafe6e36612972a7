// SPDX-License-Identifier: Apache-2.0
#include "report/accuracy_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/statistics.h"
#include "report/figures.h"

namespace headrace::report {
namespace {

std::string line(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string head(const std::vector<std::string>& cells) {
  return line(cells) + line(std::vector<std::string>(cells.size(), "---"));
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string mean_and_worst(const std::vector<double>& errors) {
  if (errors.empty()) return "–";
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  return percent(base::mean(sizes)) + " / " + percent(*std::max_element(sizes.begin(), sizes.end()));
}

}  // namespace

bool Explanation::fits(const evidence::GroupScore& group) const {
  const auto has = [](const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
  };
  return has(group.source, source) && has(group.accelerator, accelerator) && has(group.model, model);
}

std::string headline_table(const std::vector<evidence::FamilyScore>& families) {
  std::string out = head({"figure", "constants", "group median", "row median", "mean", "90 % of rows", "bias",
                          "within the interval", "± half-width", "score: interval / one width"});
  for (const auto& family : families) {
    for (const auto& metric : family.metrics) {
      if (std::isfinite(metric.value) || metric.metric.starts_with("out_of") || metric.metric.starts_with("fitting"))
        continue;
      const bool scored = std::isfinite(metric.interval_score);
      out +=
          line({spaced(metric.metric), spaced(metric.split), percent(metric.median_ape), percent(metric.row_median_ape),
                percent(metric.mean_ape), percent(metric.p90_ape), signed_percent(metric.bias),
                percent(metric.coverage_80), percent(metric.half_width),
                scored ? fmt::format("{:.2f} / {:.2f}", metric.interval_score, metric.constant_interval_score) : "–"});
    }
  }
  return out;
}

std::string ranking_table(const std::vector<evidence::Scored>& rows) {
  std::string out =
      head({"first choice slower than best", "rank correlation", "runs", "model", "accelerator", "source"});
  for (const auto& sweep : evidence::sweeps_of(rows))
    out += line({percent(sweep.regret), fmt::format("{:.2f}", sweep.spearman), std::to_string(sweep.used), sweep.model,
                 sweep.accelerator, sweep.source});
  return out;
}

std::string peers_table(const std::vector<PeerSet>& sets) {
  std::string out = head(
      {"rows", "count", "Headrace as shipped, mean / worst", "source out, mean / worst", "peer, mean / worst", "peer"});
  for (const auto& set : sets)
    out += line({set.name, std::to_string(set.theirs.size()), mean_and_worst(set.shipped),
                 mean_and_worst(set.source_out), mean_and_worst(set.theirs), set.peer});
  return out;
}

std::string worst_table(const std::vector<evidence::FamilyScore>& families,
                        const std::vector<Explanation>& explanations) {
  constexpr double kBad = 0.2;
  std::string out =
      head({"figure", "median error", "bias", "rows", "accelerator", "model", "source", "why", "what shows it"});
  for (const auto& family : families) {
    const auto rows = family.left_out.find("source_out");
    if (rows == family.left_out.end()) continue;
    for (const auto& group : evidence::group_scores(rows->second)) {
      if (group.median_ape < kBad) break;
      const auto found = std::find_if(explanations.begin(), explanations.end(),
                                      [&](const Explanation& one) { return one.fits(group); });
      const bool known = found != explanations.end();
      out += line({spaced(family.metrics.front().metric), percent(group.median_ape), signed_percent(group.bias),
                   std::to_string(group.used), group.accelerator, group.model, group.source,
                   known ? found->why : "not explained", known ? found->shown_by : ""});
    }
  }
  return out;
}

std::string reach_table(const std::vector<evidence::Setting>& measured) {
  struct Reach {
    std::set<std::string> accelerators, frameworks, formats, sources;
    int rows = 0, experts = 0;
    double most = 0, longest = 0;
  };
  std::map<std::string, Reach> families;
  for (const auto& run : measured) {
    Reach& reach = families[run.family];
    reach.accelerators.insert(run.accelerator);
    reach.frameworks.insert(run.framework);
    reach.formats.insert(base::dtype_name(run.compute));
    reach.sources.insert(run.source);
    ++reach.rows;
    reach.experts += run.experts ? 1 : 0;
    reach.most = std::max(reach.most, run.accelerators);
    reach.longest = std::max(reach.longest, run.sequence);
  }
  std::string out = head({"family", "rows", "with experts", "sources", "accelerators", "formats", "software",
                          "most at once", "longest sequence"});
  for (const auto& [name, reach] : families)
    out +=
        line({name, std::to_string(reach.rows), std::to_string(reach.experts), std::to_string(reach.sources.size()),
              fmt::format("{}", fmt::join(reach.accelerators, ", ")), fmt::format("{}", fmt::join(reach.formats, ", ")),
              fmt::format("{}", fmt::join(reach.frameworks, ", ")), grouped(std::int64_t(reach.most)),
              grouped(std::int64_t(reach.longest))});
  return out;
}

}  // namespace headrace::report
