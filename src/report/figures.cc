// SPDX-License-Identifier: Apache-2.0
#include "report/figures.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

#include "report/language.h"
#include "scenario/names.h"

namespace headrace::report {
namespace {

/// Three significant digits, never in exponents for what people read: 1240, 12.4, 0.0124.
std::string three_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value == 0 ? "0" : "–";
  const int whole = int(std::floor(std::log10(std::abs(value)))) + 1;
  const int decimals = std::max(0, 3 - whole);
  return fmt::format("{:.{}f}", value, std::min(decimals, 9));
}

/// The number in a printed quantity such as "$3.1 M" or "56 days".
double printed_number(const std::string& text) {
  return std::strtod(text.c_str() + (text.starts_with("$") ? 1 : 0), nullptr);
}

}  // namespace

std::string say_value(double value, base::Measure measure) {
  std::string text = base::print_quantity(value, measure);
  const std::size_t begin = text.starts_with("$") ? 1 : 0;
  const std::size_t end = text.find_first_not_of("-0123456789.", begin);
  if (!std::isfinite(value) || value == 0) return text;
  return text.replace(begin, std::min(end, text.size()) - begin, three_digits(printed_number(text)));
}

std::string say_interval(const base::Estimate& estimate, base::Measure measure, double base_factor) {
  const double value = estimate.value * base_factor;
  const double number = printed_number(base::print_quantity(value, measure, 6));
  const double scale = value != 0 ? number / value : 1;
  return three_digits(estimate.low * base_factor * scale) + "–" + three_digits(estimate.high * base_factor * scale);
}

std::string say_estimate(const base::Estimate& estimate, base::Measure measure, double base_factor) {
  const std::string value = say_value(estimate.value * base_factor, measure);
  if (estimate.low == estimate.high) return value;
  return fmt::format("{} ({})", value, say_interval(estimate, measure, base_factor));
}

std::string say_estimate(const base::Estimate& estimate, base::Measure measure, const Language& language) {
  std::string text = say_estimate(estimate, measure);
  for (const char* word : {"days", "years"}) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos)
      text.replace(at, std::string_view(word).size(), language.say("unit." + std::string(word)));
  }
  return text;
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (int at = int(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3) digits.insert(std::size_t(at), ",");
  return digits;
}

std::string short_count(double count) {
  constexpr struct {
    double size;
    const char* name;
  } kUnits[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}};
  for (const auto& unit : kUnits) {
    if (std::abs(count) >= unit.size * 0.9995) return three_digits(count / unit.size) + " " + unit.name;
  }
  return three_digits(count);
}

std::string percent(double fraction, int digits) {
  return std::isfinite(fraction) ? fmt::format("{:.{}f} %", fraction * 100, digits) : "–";
}

std::string signed_percent(double fraction) {
  const double rounded = std::round(fraction * 1000) / 10;
  if (rounded == 0) return "±0 %";
  return fmt::format("{}{:.1f} %", rounded < 0 ? "−" : "+", std::abs(rounded));
}

std::string in_gib(double bytes) { return three_digits(bytes / base::kGibi); }

std::string data_parallel_label(const scenario::Strategy& strategy) {
  switch (strategy.data_parallel) {
    case scenario::DataParallel::kDdp: return "DDP";
    case scenario::DataParallel::kZero1: return "ZeRO-1";
    case scenario::DataParallel::kZero2: return "ZeRO-2";
    case scenario::DataParallel::kZero3: break;
  }
  return strategy.shard_group > 0 ? "HSDP " + std::to_string(strategy.shard_group) : "FSDP";
}

/// The schedule's own name where the chunks do not say it.
const char* schedule_label(scenario::Schedule schedule) {
  switch (schedule) {
    case scenario::Schedule::kGpipe: return "GPipe";
    case scenario::Schedule::kZeroBubbleH1: return "ZB-H1";
    case scenario::Schedule::kZeroBubbleH2: return "ZB-H2";
    case scenario::Schedule::kZbv: return "ZB-V";
    case scenario::Schedule::kDualPipe: return "DualPipe";
    case scenario::Schedule::k1f1b:
    case scenario::Schedule::kInterleaved: break;
  }
  return nullptr;
}

std::string context_degree(const scenario::Strategy& s) {
  return std::to_string(s.context) + (scenario::exchanges_heads(s) ? " a2a" : "");
}

std::string strategy_line(const scenario::Strategy& s, const Language& language) {
  std::string line;
  const auto add = [&](const std::string& part) { line += (line.empty() ? "" : " · ") + part; };
  const auto degree = [&](const char* name, int value) {
    if (value > 1) add(std::string(name) + " " + std::to_string(value));
  };
  degree("TP", s.tensor);
  degree("PP", s.pipeline);
  degree("VP", s.virtual_pipeline);
  degree("CP", s.context);
  if (scenario::exchanges_heads(s)) line += " (" + language.say("strategy.all_to_all") + ")";
  degree("EP", s.expert);
  degree("ETP", s.expert > 1 ? s.expert_tensor : 1);
  if (s.data == 1 && line.empty()) add(language.say("strategy.one_gpu"));
  if (s.data > 1) add(fmt::format("DP {} ({})", s.data, data_parallel_label(s)));
  add(language.say("strategy.micro_batch", {std::to_string(s.micro_batch)}));
  add(language.say("strategy.global_batch", {grouped(s.global_batch)}));
  const bool part = s.recompute == scenario::Recompute::kFull && s.recompute_layers >= 0;
  const char* layers = s.recompute_layers == 1 ? "strategy.recompute_one_layer" : "strategy.recompute_layers";
  add(part ? language.say(layers, {std::to_string(s.recompute_layers)})
           : language.say("strategy.recompute_" + std::string(scenario::name_of(s.recompute))));
  if (s.sequence_parallel) add(language.say("strategy.sequence_parallel"));
  if (const char* schedule = schedule_label(s.schedule); schedule != nullptr && s.pipeline > 1) add(schedule);
  if (s.offload_optimizer) add(language.say("strategy.offload_optimizer"));
  return line;
}

}  // namespace headrace::report
