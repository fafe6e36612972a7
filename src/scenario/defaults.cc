// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <tuple>

#include "scenario/read.h"

namespace headrace::scenario {
namespace {

/// Places that tell the origin of what nobody wrote; `--show-defaults` says these ids.
const base::Place kDefault{"origin.default", 0, 0};
const base::Place kPlatform{"origin.platform", 0, 0};
const base::Place kSoftware{"origin.software", 0, 0};

base::Value word(const base::Place& place, std::string text) {
  return base::Value::scalar(place, std::move(text), false);
}

bool lacks(const base::Value& map, std::string_view key) {
  const base::Value* found = map.find(key);
  return !found || found->is_null();
}

void fill(base::Value& map, const char* key, const base::Place& place, const char* text) {
  if (lacks(map, key)) map.set(key, word(place, text));
}

/// The member of a map as a map to fill; an empty one when there is none, nothing when it is of another kind.
std::optional<base::Value> part(const base::Value& document, const char* key) {
  const base::Value* found = document.find(key);
  if (!found || found->is_null()) return base::Value::map(document.place(), {});
  if (!found->is_map()) return std::nullopt;
  return *found;
}

const catalog::Platform* first_platform(const base::Value& center, const catalog::Catalog& catalog) {
  const base::Value* platform = center.find("platform");
  if (platform && platform->is_list() && !platform->items().empty()) platform = &platform->items().front();
  return platform && platform->is_scalar() ? catalog.platforms.find(platform->raw()) : nullptr;
}

void complete_center(base::Value& document, const catalog::Catalog& catalog) {
  auto center = part(document, "center");
  if (!center) return;
  // Asked before anything is put in: that may move the members.
  const base::Value* platform = center->find("platform");
  const bool named = platform && platform->is_scalar();
  const catalog::Platform* entry = first_platform(*center, catalog);
  if (lacks(*center, "nodes") && lacks(*center, "gpus")) fill(*center, "nodes", kDefault, "1");
  if (lacks(*center, "network") && named && entry && !entry->network.empty())
    center->set("network", word(kPlatform, entry->network));
  document.set("center", std::move(*center));
}

void complete_workload(base::Value& document) {
  auto workload = part(document, "workload");
  if (!workload) return;
  fill(*workload, "kind", kDefault, "training");
  if (const base::Value* kind = workload->find("kind"); kind->is_scalar() && kind->raw() == "training") {
    fill(*workload, "sequence", kDefault, "4096");
    fill(*workload, "global_batch", kDefault, "up to 1024 sequences");
    fill(*workload, "precision", kDefault, "bf16");
  }
  document.set("workload", std::move(*workload));
}

void complete_search(base::Value& document) {
  auto search = part(document, "search");
  if (!search) return;
  fill(*search, "prune", kDefault, "true");
  fill(*search, "top", kDefault, "10");
  document.set("search", std::move(*search));
}

void complete_objective(base::Value& document) {
  auto objective = part(document, "objective");
  if (!objective) return;
  const base::Value* center = document.find("center");
  const base::Value* nodes = center && center->is_map() ? center->find("nodes") : nullptr;
  const base::Value* gpus = center && center->is_map() ? center->find("gpus") : nullptr;
  const bool open =
      (nodes && nodes->is_scalar() && nodes->raw() == "auto") || (gpus && gpus->is_scalar() && gpus->raw() == "auto");
  fill(*objective, "minimize", kDefault, open ? "gpus" : "time_to_train");
  if (lacks(*objective, "subject_to"))
    objective->set("subject_to", base::Value::list(kDefault, {word(kDefault, "memory_headroom >= 5 %")}));
  document.set("objective", std::move(*objective));
}

}  // namespace

// The newest release of the framework that most published runs use; 0.9 is older than 0.16.
std::string default_software(const catalog::Catalog& catalog) {
  const auto age = [](const catalog::Software& software) {
    int major = 0;
    int minor = 0;
    std::sscanf(software.version.c_str(), "%d.%d", &major, &minor);
    return std::tuple(software.year, major, minor);
  };
  const catalog::Software* best = nullptr;
  for (const auto& [id, software] : catalog.software.entries()) {
    if (software.kind != "training" || software.framework != "megatron-core") continue;
    if (!best || age(software) > age(*best)) best = &software;
  }
  return best ? best->id : std::string();
}

void complete(base::Value& document, const catalog::Catalog& catalog) {
  if (!document.is_map()) return;
  fill(document, "headrace", kDefault, "1");
  complete_workload(document);
  if (lacks(document, "name")) {
    const base::Value* workload = document.find("workload");
    const base::Value* model = workload && workload->is_map() ? workload->find("model") : nullptr;
    document.set("name", word(kDefault, model && model->is_scalar() ? model->raw() : "unnamed"));
  }
  complete_center(document, catalog);
  if (lacks(document, "software")) {
    if (const std::string id = default_software(catalog); !id.empty()) document.set("software", word(kSoftware, id));
  }
  fill(document, "strategy", kDefault, "auto");
  complete_search(document);
  complete_objective(document);
}

}  // namespace headrace::scenario
