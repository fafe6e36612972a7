// SPDX-License-Identifier: Apache-2.0
#include "evidence/experience.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headrace::evidence {

namespace {

std::string number(double value) { return fmt::format("{:.0f}", value); }

}  // namespace

void Experience::add(const Setting& measured) {
  Family& family = families_[measured.family];
  family.formats.insert(measured.compute);
  family.experts = family.experts || measured.experts;
  family.accelerators = std::max(family.accelerators, measured.accelerators);
  family.sequence = std::max(family.sequence, measured.sequence);
  accelerators_.insert(measured.accelerator);
  frameworks_.insert(measured.framework);
}

std::vector<Gap> Experience::gaps(const Setting& asked) const {
  std::vector<Gap> out;
  const auto say = [&](const char* name, double amount, std::vector<std::string> arguments) {
    out.push_back({name, amount, {std::string("gap.") + name, std::move(arguments)}});
  };
  if (!frameworks_.contains(asked.framework)) say("software", 1, {asked.framework});
  const auto found = families_.find(asked.family);
  if (found == families_.end()) {
    say("family", 1, {asked.accelerator});
    return out;
  }
  const Family& family = found->second;
  if (!accelerators_.contains(asked.accelerator)) say("accelerator", 1, {asked.accelerator, asked.family});
  if (!family.formats.contains(asked.compute)) say("precision", 1, {base::dtype_name(asked.compute), asked.family});
  if (asked.experts && !family.experts) say("experts_here", 1, {asked.family});
  const auto beyond = [&](const char* name, double is, double reach) {
    if (is > reach) say(name, std::log2(is / reach), {number(is), number(reach), asked.family});
  };
  beyond("scale", asked.accelerators, family.accelerators);
  beyond("sequence", asked.sequence, family.sequence);
  return out;
}

Experience experience_without(const std::vector<Setting>& measured, const std::string& source) {
  Experience experience;
  for (const Setting& one : measured)
    if (one.source != source) experience.add(one);
  return experience;
}

Doubts doubts_of(const Setting& asked, const Experience& experience) {
  Doubts doubts;
  if (asked.experts) doubts["experts"] = 1;
  constexpr double kWide = 4096;
  if (asked.hidden > 0 && asked.hidden < kWide) doubts["narrow"] = std::log2(kWide / asked.hidden);
  for (const Gap& gap : experience.gaps(asked)) doubts[gap.name] = gap.amount;
  return doubts;
}

}  // namespace headrace::evidence
