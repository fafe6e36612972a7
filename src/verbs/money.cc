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

base::Estimate scaled(double base_value, const catalog::Constant& share, const char* unit) {
  return {base_value * share.value, base_value * share.low, base_value * share.high, unit, base::Basis::kAssumed, ""};
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

std::optional<Power> power_of(const PreparedMachine& machine, const catalog::Catalog& catalog) {
  const catalog::Constant* share = catalog.calibration.find("power.training_share");
  const catalog::Constant* host = catalog.calibration.find("power.host_share");
  if (!machine.accelerator->power_limit || !share || !host) return std::nullopt;
  const double limit = machine.accelerator->power_limit->value();
  Power power;
  power.accelerator = scaled(limit, *share, "W");
  if (machine.platform->max_power && machine.platform->accelerators > 0) {
    power.server = scaled(machine.platform->max_power->value() / machine.platform->accelerators, *share, "W");
  } else {
    power.server = power.accelerator;
    power.server.value *= 1 + host->value;
    power.server.low *= 1 + host->low;
    power.server.high *= 1 + host->high;
  }
  return power;
}

}  // namespace headrace::verbs
