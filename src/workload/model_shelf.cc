// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/embedded.h"
#include "base/value.h"
#include "workload/model_file.h"

namespace headrace::workload {
namespace {

constexpr std::string_view kFolder = "catalog/models/";

std::string folded(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return text;
}

/// Without the owner of a hub's repository.
std::string_view bare_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool is_called(const Model& model, const std::string& wanted) {
  const auto matches = [&](const std::string& name) {
    return folded(name) == wanted || folded(bare_name(name)) == wanted;
  };
  return matches(model.id) || std::ranges::any_of(model.aliases, matches);
}

}  // namespace

std::vector<std::string> built_in_models() {
  std::vector<std::string> ids;
  for (const base::EmbeddedFile& file : base::embedded_under(kFolder)) {
    const auto models = read_models(file.text, std::string(file.path));
    if (!models) continue;
    for (const Model& model : *models) ids.push_back(model.id);
  }
  std::ranges::sort(ids);
  return ids;
}

base::Result<Model> built_in_model(std::string_view name, const base::Place& place) {
  const std::string wanted = folded(bare_name(name));
  for (const base::EmbeddedFile& file : base::embedded_under(kFolder)) {
    // Parsing is what costs: only files whose text holds the name are read.
    if (wanted.empty() || folded(file.text).find(wanted) == std::string::npos) continue;
    TRY(const auto models, read_models(file.text, std::string(file.path)));
    for (const Model& model : models) {
      if (is_called(model, wanted)) return model;
    }
  }
  return base::input_error(place, "model.unknown", {std::string(name)},
                           base::nearest_hint(bare_name(name), built_in_models()));
}

}  // namespace headrace::workload
