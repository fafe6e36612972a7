// SPDX-License-Identifier: Apache-2.0
#include "verbs/money.h"

#include <algorithm>

#include "base/statistics.h"

namespace headrace::verbs {
namespace {

constexpr double kSecondsPerHour = 3600;

std::optional<double> hourly(const catalog::Platform& platform) {
  if (!platform.on_demand || platform.accelerators < 1) return std::nullopt;
  return platform.on_demand->value() * kSecondsPerHour / platform.accelerators;
}

/// Which constant tells what a part of the step draws.
const char* draw_of(const std::string& part) {
  if (part == "part.tensor" || part == "part.recompute") return "power.tensor";
  if (part == "part.memory_bound" || part == "part.optimizer") return "power.memory";
  if (part.ends_with("_comm")) return "power.communication";
  return "power.idle";
}

/// The mean share of its limit that an accelerator draws over a step; the doubts of all parts go together.
std::optional<base::Estimate> draw_over(const base::Breakdown& step, const catalog::Calibration& calibration) {
  base::Estimate mean{0, 0, 0, "1", base::Basis::kAssumed, ""};
  const base::Breakdown all = step.total() > 0 ? step : base::Breakdown{"s", {{"part.tensor", 1}}};
  for (const base::Share& part : all.parts) {
    const catalog::Constant* draw = calibration.find(draw_of(part.name));
    if (!draw) return std::nullopt;
    const double share = part.value / all.total();
    mean.value += share * draw->value;
    mean.low += share * draw->low;
    mean.high += share * draw->high;
  }
  return mean;
}

}  // namespace

std::optional<Rent> rent_of(const PreparedMachine& machine, const catalog::Catalog& catalog) {
  if (const auto own = hourly(*machine.platform)) {
    const std::string& date = machine.platform->price_region_date;
    return Rent{{*own, *own, *own, "USD/h", base::Basis::kDatasheet, ""},
                machine.platform->id + (date.empty() ? "" : ", " + date)};
  }
  std::vector<double> prices;
  std::string source;
  for (const auto& [id, platform] : catalog.platforms.entries()) {
    if (platform.accelerator != machine.accelerator->id) continue;
    const auto price = hourly(platform);
    if (!price) continue;
    prices.push_back(*price);
    source += (source.empty() ? "" : "; ") + id +
              (platform.price_region_date.empty() ? "" : ", " + platform.price_region_date);
  }
  if (prices.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(prices.begin(), prices.end());
  return Rent{{base::median(prices), *low, *high, "USD/h", base::Basis::kDatasheet, ""}, source};
}

std::optional<Rent> price_of(const PreparedMachine& machine, const scenario::Money& money,
                             const catalog::Catalog& catalog) {
  const auto given = [](double hourly, const char* source) {
    return Rent{{hourly, hourly, hourly, "USD/h", base::Basis::kDatasheet, ""}, source};
  };
  if (money.rent) return given(money.rent->value() * kSecondsPerHour, "money.rent");
  if (money.purchase)
    return given(money.purchase->value() / money.lifetime.value() * kSecondsPerHour, "money.purchase / money.lifetime");
  return rent_of(machine, catalog);
}

std::optional<Power> power_of(const PreparedMachine& machine, const base::Breakdown& step,
                              const catalog::Catalog& catalog) {
  const auto draw = draw_over(step, catalog.calibration);
  const catalog::Constant* host = catalog.calibration.find("power.host_share");
  if (!machine.accelerator->power_limit || !draw || !host) return std::nullopt;
  const double limit = machine.accelerator->power_limit->value();
  const auto watts = [&](double low, double value, double high) {
    return base::Estimate{value, low, high, "W", base::Basis::kAssumed, ""};
  };
  Power power;
  power.accelerator = watts(limit * draw->low, limit * draw->value, limit * draw->high);
  // What a server may draw beyond its accelerators is the host's, fans' and switches'.
  double most = limit * host->value;
  if (machine.platform->max_power && machine.platform->accelerators > 0)
    most = std::max(0.0, machine.platform->max_power->value() / machine.platform->accelerators - limit);
  power.server = watts(power.accelerator.low + most * host->low / host->value, power.accelerator.value + most,
                       power.accelerator.high + most * host->high / host->value);
  return power;
}

}  // namespace headrace::verbs
