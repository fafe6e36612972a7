// SPDX-License-Identifier: Apache-2.0
#include "scenario/built_in.h"

#include "base/embedded.h"

namespace headrace::scenario {
namespace {

constexpr std::string_view kFolder = "scenarios/";
constexpr std::string_view kEnding = ".yaml";

/// The text after "# " of the first comment line that is no licence.
std::string first_comment(std::string_view text) {
  while (text.starts_with("#")) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find("SPDX") == std::string_view::npos)
      return std::string(line.substr(std::min<std::size_t>(2, line.size())));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

/// A name that can only be meant as a file.
bool looks_like_file(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.find('/') != std::string_view::npos;
}

}  // namespace

std::vector<BuiltIn> built_ins() {
  std::vector<BuiltIn> all;
  for (const base::EmbeddedFile& file : base::embedded_under(kFolder)) {
    std::string_view id = file.path.substr(kFolder.size());
    id.remove_suffix(kEnding.size());
    all.push_back({std::string(id), first_comment(file.text), file.text});
  }
  return all;
}

base::Result<base::Value> open_scenario(const std::string& name, const base::FileSystem& files) {
  std::vector<std::string> known;
  for (const BuiltIn& built_in : built_ins()) {
    if (built_in.id == name) return base::read_yaml(built_in.text, name);
    known.push_back(built_in.id);
  }
  auto text = files.read(name);
  if (text) return base::read_yaml(*text, name);
  if (looks_like_file(name)) return tl::unexpected<base::Error>(text.error());
  return base::input_error({}, "scenario.unknown", {name}, base::nearest_hint(name, known));
}

}  // namespace headrace::scenario
