// SPDX-License-Identifier: Apache-2.0
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

constexpr std::string_view kBases[] = {"measured", "fitted", "datasheet", "assumed"};

constexpr base::Range<double> kAny{-1e30, 1e30};

double required_number(EntryReader& reader, const std::string& key) {
  const auto value = reader.number(key, kAny);
  if (!value && reader.member(key) == nullptr) reader.problem(key, "base.missing_key", {key});
  return value.value_or(0);
}

}  // namespace

Constant read_constant(EntryReader& reader) {
  Constant out;
  out.value = required_number(reader, "value");
  out.low = required_number(reader, "low");
  out.high = required_number(reader, "high");
  out.unit = reader.text("unit");
  out.basis = reader.text("basis");
  if (!out.basis.empty()) check_word(reader, "basis", out.basis, kBases);
  out.evidence = reader.text("evidence");
  out.rows = int(reader.number("rows", {0, 1e6}).value_or(0));
  out.sources = int(reader.number("sources", {0, 1e6}).value_or(0));
  const bool stated = reader.member("value") && reader.member("low") && reader.member("high");
  if (stated && (out.value < out.low || out.value > out.high))
    reader.problem("value", "catalog.constant_out_of_range",
                   {reader.member("value")->raw(), reader.member("low")->raw(), reader.member("high")->raw()});
  return out;
}

}  // namespace headrace::catalog
