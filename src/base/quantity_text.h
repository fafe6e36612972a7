// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "base/units.h"
#include "base/value.h"

namespace headrace::base {

/// What a text may measure; decides which units it accepts.
enum class Measure {
  kTime,             ///< ns us ms s min h days (d) years
  kBytes,            ///< B kB MB GB TB PB KiB MiB GiB TiB PiB
  kBandwidth,        ///< bytes/s, also Gb/s Tb/s (bits)
  kFrequency,        ///< Hz kHz MHz GHz
  kCompute,          ///< FLOP/s GFLOP/s TFLOP/s PFLOP/s (TFLOPS accepted)
  kPower,            ///< W kW MW
  kEnergy,           ///< J kJ Wh kWh MWh GWh
  kMoney,            ///< USD $ kUSD "M$"
  kTokens,           ///< tokens, with K M B T before or without the word: 15T, 15T tokens
  kSequences,        ///< sequences (plain count allowed)
  kFraction,         ///< 0.05 or 5 %
  kEnergyPrice,      ///< USD/kWh
  kRentPrice,        ///< USD/h
  kCarbonIntensity,  ///< g/kWh
};

/// The number in base units (s, B, B/s, FLOP/s, W, J, USD, tokens, 1, USD/J, USD/s, g/J) of e.g. "900 GB/s", "80 GiB",
/// "15T tokens", "2.5 MW", "60 days", "5 %". A missing unit is an error except for tokens, sequences and fractions; so
/// are negatives and non-finite numbers.
Result<double> parse_quantity(const Value& value, Measure measure);
Result<double> parse_quantity(std::string_view text, Measure measure, const Place& place);

/// A number with three significant digits and the unit that suits it, e.g. "11.9 s", "61.2 GiB", "1.24 M", "$3.1 M",
/// "1.02 GWh".
std::string print_quantity(double base_value, Measure measure, int digits = 3);

}  // namespace headrace::base
