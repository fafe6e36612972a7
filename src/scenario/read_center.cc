// SPDX-License-Identifier: Apache-2.0
#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

/// The platforms that carry an accelerator, for users who name the accelerator where a platform is wanted.
std::string platforms_with(const std::string& accelerator, const catalog::Catalog& catalog) {
  std::string ids;
  for (const auto& [id, platform] : catalog.platforms.entries()) {
    if (platform.accelerator == accelerator) ids += (ids.empty() ? "" : ", ") + id;
  }
  return ids;
}

base::Result<std::string> read_platform(const base::Value& value, catalog::Catalog& catalog) {
  if (value.is_map()) return inline_platform(value, catalog);
  TRY(const std::string name, value.text());
  const catalog::Accelerator* accelerator = catalog.platforms.find(name) ? nullptr : catalog.accelerators.find(name);
  if (accelerator) {
    const std::string ids = platforms_with(accelerator->id, catalog);
    return base::input_error(
        value.place(), ids.empty() ? "scenario.accelerator_alone" : "scenario.accelerator_not_platform", {name, ids});
  }
  TRY(const catalog::Platform* platform, catalog.platforms.get(name, value.place()));
  return platform->id;
}

base::Result<std::vector<std::string>> read_platforms(const base::Value& value, catalog::Catalog& catalog) {
  std::vector<std::string> ids;
  if (!value.is_list()) {
    TRY(std::string id, read_platform(value, catalog));
    ids.push_back(std::move(id));
    return ids;
  }
  if (value.items().empty()) return base::input_error(value.place(), "scenario.empty_list", {"platform"});
  for (const base::Value& item : value.items()) {
    TRY(std::string id, read_platform(item, catalog));
    if (std::find(ids.begin(), ids.end(), id) != ids.end())
      return base::input_error(item.place(), "scenario.twice", {id, "platform"});
    ids.push_back(std::move(id));
  }
  return ids;
}

constexpr std::int64_t kMostNodes = 1'000'000;

/// A count, or `auto`, which leaves the size open.
base::Result<void> read_size(base::Fields& fields, const std::string& key, std::optional<std::int64_t>& out,
                             bool& open) {
  const base::Value* value = fields.optional(key);
  if (!value) return {};
  if (value->is_scalar() && value->raw() == "auto") {
    open = true;
    return {};
  }
  TRY(const std::int64_t count, fields.integer(key, {1, kMostNodes}));
  out = count;
  return {};
}

base::Result<Site> read_site(const base::Value& value) {
  base::Fields fields(value);
  Site site;
  TRY(site.pue, fields.maybe_number("pue", {1.0, 10.0}));
  CHECK_OK(read_quantity(fields, "power_limit", base::Measure::kPower, site.power_limit));
  CHECK_OK(read_quantity(fields, "electricity", base::Measure::kEnergyPrice, site.electricity));
  CHECK_OK(read_quantity(fields, "carbon", base::Measure::kCarbonIntensity, site.carbon));
  CHECK_OK(fields.finish());
  return site;
}

}  // namespace

base::Result<Center> read_center(const base::Value& value, catalog::Catalog& catalog) {
  base::Fields fields(value);
  Center center;
  const base::Value* platform = fields.optional("platform");
  if (!platform)
    return base::input_error(value.place().line > 0 ? value.place() : base::Place{}, "scenario.no_platform");
  TRY(center.platforms, read_platforms(*platform, catalog));
  CHECK_OK(read_size(fields, "nodes", center.nodes, center.size_open));
  CHECK_OK(read_size(fields, "gpus", center.gpus, center.size_open));
  if (const base::Value* gpus = fields.optional("gpus"); gpus && fields.optional("nodes"))
    return base::input_error(gpus->place(), "scenario.nodes_and_gpus");
  if (const base::Value* network = fields.optional("network")) {
    if (network->is_map()) {
      TRY(center.network, inline_network(*network, catalog));
    } else {
      TRY(const std::string name, network->text());
      TRY(const catalog::Network* entry, catalog.networks.get(name, network->place()));
      center.network = entry->id;
    }
  }
  if (const base::Value* site = fields.optional("site")) {
    TRY(center.site, read_site(*site));
  }
  if (const base::Value* storage = fields.optional("storage")) {
    TRY(center.storage_write, read_storage(*storage));
  }
  CHECK_OK(fields.finish());
  return center;
}

}  // namespace headrace::scenario
