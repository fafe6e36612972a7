// SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.h"

#include <fmt/core.h>

#include <cmath>
#include <span>

#include "base/document_text.h"

namespace headrace::base {
namespace {

struct Unit {
  const char* name;
  double size;           ///< base units in one
  bool printed = false;  ///< the largest printed unit that the number reaches is chosen
};

// More than any bytes, FLOP/s, dollars or tokens there will be, in base units.
constexpr double kBeyondReal = 1e30;

constexpr double kHour = 3600, kDay = 24 * kHour, kYear = 365 * kDay;
constexpr double kKilowattHour = 3.6e6;

constexpr Unit kTime[] = {{"ns", 1e-9, true}, {"us", 1e-6, true},    {"µs", 1e-6},         {"ms", 1e-3, true},
                          {"s", 1, true},     {"second", 1},         {"seconds", 1},       {"min", 60, true},
                          {"minutes", 60},    {"h", kHour, true},    {"hour", kHour},      {"hours", kHour},
                          {"d", kDay},        {"day", kDay},         {"days", kDay, true}, {"weeks", 7 * kDay},
                          {"year", kYear},    {"years", kYear, true}};
constexpr Unit kBytes[] = {{"B", 1, true},        {"kB", 1e3},           {"MB", 1e6},           {"GB", 1e9},
                           {"TB", 1e12},          {"PB", 1e15},          {"KiB", 0x1p10, true}, {"MiB", 0x1p20, true},
                           {"GiB", 0x1p30, true}, {"TiB", 0x1p40, true}, {"PiB", 0x1p50, true}};
constexpr Unit kBandwidth[] = {{"B/s", 1, true},     {"kB/s", 1e3, true},  {"MB/s", 1e6, true}, {"GB/s", 1e9, true},
                               {"TB/s", 1e12, true}, {"PB/s", 1e15, true}, {"KiB/s", 0x1p10},   {"MiB/s", 0x1p20},
                               {"GiB/s", 0x1p30},    {"TiB/s", 0x1p40},    {"Mb/s", 1e6 / 8},   {"Mbit/s", 1e6 / 8},
                               {"Gb/s", 1e9 / 8},    {"Gbit/s", 1e9 / 8},  {"Gbps", 1e9 / 8},   {"Tb/s", 1e12 / 8},
                               {"Tbit/s", 1e12 / 8}, {"Tbps", 1e12 / 8}};
constexpr Unit kFrequency[] = {{"Hz", 1, true}, {"kHz", 1e3, true}, {"MHz", 1e6, true}, {"GHz", 1e9, true}};
constexpr Unit kCompute[] = {
    {"FLOP/s", 1, true},     {"MFLOP/s", 1e6, true},  {"GFLOP/s", 1e9, true}, {"TFLOP/s", 1e12, true},
    {"PFLOP/s", 1e15, true}, {"EFLOP/s", 1e18, true}, {"FLOPS", 1},           {"MFLOPS", 1e6},
    {"GFLOPS", 1e9},         {"TFLOPS", 1e12},        {"PFLOPS", 1e15},       {"EFLOPS", 1e18},
    {"TOPS", 1e12}};
constexpr Unit kPower[] = {{"W", 1, true}, {"kW", 1e3, true}, {"MW", 1e6, true}, {"GW", 1e9, true}};
constexpr Unit kEnergy[] = {{"J", 1, true},
                            {"kJ", 1e3},
                            {"MJ", 1e6},
                            {"GJ", 1e9},
                            {"Wh", 3600, true},
                            {"kWh", kKilowattHour, true},
                            {"MWh", 1e3 * kKilowattHour, true},
                            {"GWh", 1e6 * kKilowattHour, true},
                            {"TWh", 1e9 * kKilowattHour, true}};
constexpr Unit kMoney[] = {{"$", 1, true}, {"k$", 1e3, true}, {"M$", 1e6, true}, {"B$", 1e9, true},
                           {"USD", 1},     {"kUSD", 1e3},     {"MUSD", 1e6},     {"BUSD", 1e9}};
constexpr Unit kCounts[] = {{"", 1, true},    {"K", 1e3, true}, {"k", 1e3},
                            {"M", 1e6, true}, {"B", 1e9, true}, {"T", 1e12, true}};
constexpr Unit kFraction[] = {{"%", 0.01, true}, {"", 1}};
constexpr Unit kEnergyPrice[] = {{"USD/kWh", 1 / kKilowattHour, true},
                                 {"$/kWh", 1 / kKilowattHour},
                                 {"USD/MWh", 1e-3 / kKilowattHour},
                                 {"$/MWh", 1e-3 / kKilowattHour}};
constexpr Unit kRentPrice[] = {
    {"USD/h", 1 / kHour, true}, {"$/h", 1 / kHour}, {"USD/hour", 1 / kHour}, {"$/hour", 1 / kHour}};
constexpr Unit kCarbon[] = {
    {"g/kWh", 1 / kKilowattHour, true}, {"kg/kWh", 1e3 / kKilowattHour}, {"kg/MWh", 1 / kKilowattHour}};

std::span<const Unit> units_of(Measure measure) {
  switch (measure) {
    case Measure::kTime: return kTime;
    case Measure::kBytes: return kBytes;
    case Measure::kBandwidth: return kBandwidth;
    case Measure::kFrequency: return kFrequency;
    case Measure::kCompute: return kCompute;
    case Measure::kPower: return kPower;
    case Measure::kEnergy: return kEnergy;
    case Measure::kMoney: return kMoney;
    case Measure::kTokens:
    case Measure::kSequences: return kCounts;
    case Measure::kFraction: return kFraction;
    case Measure::kEnergyPrice: return kEnergyPrice;
    case Measure::kRentPrice: return kRentPrice;
    case Measure::kCarbonIntensity: return kCarbon;
  }
  return {};
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "15T tokens" without its word: "15T".
std::string_view without_word(std::string_view text, std::string_view word) {
  const std::string_view singular = text.ends_with('s') ? text.substr(0, text.size() - 1) : text;
  return singular.ends_with(word) ? trim(singular.substr(0, singular.size() - word.size())) : text;
}

std::string_view number_part(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.+-");
  std::string_view number = text.substr(0, end);
  if (end != text.npos && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t exponent = text.find_first_not_of("0123456789+-", end + 1);
    if (read_number(text.substr(0, exponent))) number = text.substr(0, exponent);
  }
  return number;
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units) {
    if (name == unit.name) return &unit;
  }
  return nullptr;
}

std::vector<std::string> names_of(std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const Unit& unit : units) {
    if (*unit.name != '\0') names.emplace_back(unit.name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// To `digits` significant digits, without trailing zeros or exponent.
std::string rounded(double value, int digits) {
  if (std::abs(value) > kBeyondReal) return fmt::format("{:.{}g}", value, digits);
  const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = digits - 1 - magnitude;
  if (decimals <= 0) {
    const double step = std::pow(10.0, -decimals);
    return fmt::format("{:.0f}", std::round(value / step) * step);
  }
  std::string text = fmt::format("{:.{}f}", value, decimals);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

double rounded_value(double value, int digits) { return *read_number(fmt::format("{:.{}e}", value, digits - 1)); }

// The largest printed unit that the rounded number reaches, so that 999.9 ms is 1 s; else the smallest; 0 has the base
// unit.
const Unit& printed_unit(std::span<const Unit> units, double base_value, int digits) {
  const Unit* chosen = nullptr;
  for (const Unit& unit : units) {
    if (!unit.printed) continue;
    if (base_value == 0 && unit.size == 1) return unit;
    const bool reached = rounded_value(std::abs(base_value) / unit.size, digits) >= 1.0;
    if (chosen == nullptr || (reached && unit.size > chosen->size)) chosen = &unit;
  }
  return *chosen;
}

}  // namespace

Result<double> parse_quantity(std::string_view text, Measure measure, const Place& place) {
  const std::span<const Unit> units = units_of(measure);
  const auto wrong = [&](const char* id, std::optional<Message> hint = std::nullopt) {
    return input_error(place, id, {shown(text), joined(names_of(units))}, std::move(hint));
  };
  std::string_view rest = trim(text);
  if (measure == Measure::kTokens) rest = without_word(rest, "token");
  if (measure == Measure::kSequences) rest = without_word(rest, "sequence");
  const bool dollar = rest.starts_with('$');
  if (dollar) rest = trim(rest.substr(1));
  const std::string_view digits = number_part(rest);
  const std::optional<double> number = read_number(digits);
  if (!number) return wrong("quantity.no_number");
  const std::string name(trim(rest.substr(digits.size())));
  const Unit* unit = dollar ? find_unit(units, name + "$") : find_unit(units, name);
  if (dollar && unit == nullptr) unit = find_unit(units, "$" + name);
  if (unit == nullptr && name.empty()) return wrong("quantity.no_unit");
  if (unit == nullptr) return wrong("quantity.unknown_unit", nearest_hint(name, names_of(units)));
  const double value = *number * unit->size;
  if (value < 0) return wrong("quantity.negative");
  if (!(value <= kBeyondReal)) return wrong("quantity.beyond_real");
  return value;
}

Result<double> parse_quantity(const Value& value, Measure measure) {
  TRY(const std::string text, value.text());
  return parse_quantity(text, measure, value.place());
}

std::string print_quantity(double base_value, Measure measure, int digits) {
  if (!std::isfinite(base_value)) return "–";
  if (measure == Measure::kSequences) return rounded(base_value, 17) + " sequences";
  const Unit& unit = printed_unit(units_of(measure), base_value, digits);
  const std::string number = rounded(base_value / unit.size, digits);
  std::string_view name = unit.name;
  if (measure == Measure::kMoney) {
    name.remove_suffix(1);
    return "$" + number + (name.empty() ? "" : " ") + std::string(name);
  }
  if (measure == Measure::kTokens) return number + std::string(name) + " tokens";
  return number + " " + std::string(name);
}

}  // namespace headrace::base
