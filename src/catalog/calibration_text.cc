// SPDX-License-Identifier: Apache-2.0
#include "catalog/calibration_text.h"

#include <fmt/core.h>

#include <cstdlib>

namespace headrace::catalog {

namespace {

/// The key of a line "  some.key: {…}"; empty for any other line.
std::string key_of(std::string_view line) {
  if (!line.starts_with("  ") || line.size() < 4 || line[2] == ' ' || line[2] == '#') return "";
  const std::size_t colon = line.find(": {");
  return colon == std::string_view::npos ? "" : std::string(line.substr(2, colon - 2));
}

}  // namespace

double rounded(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

std::string calibration_line(const std::string& key, const Constant& constant) {
  const std::string counted =
      constant.rows > 0 ? fmt::format(", rows: {}, sources: {}", constant.rows, constant.sources) : "";
  return fmt::format("  {}: {{value: {:.4g}, low: {:g}, high: {:g}, unit: \"{}\", basis: {}{}, evidence: \"{}\"}}", key,
                     constant.value, constant.low, constant.high, constant.unit, constant.basis, counted,
                     constant.evidence);
}

base::Result<std::string> rewrite_calibration(std::string_view file, const Calibration& calibration) {
  std::string out;
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size() - 1);
    const std::string_view line = file.substr(0, end + 1);
    file.remove_prefix(end + 1);
    const std::string key = key_of(line);
    if (key.empty() || line.find("basis: fitted") == std::string_view::npos) {
      out += line;
      continue;
    }
    CHECK_OK(calibration.value(key));
    out += calibration_line(key, *calibration.find(key)) + "\n";
  }
  return out;
}

}  // namespace headrace::catalog
