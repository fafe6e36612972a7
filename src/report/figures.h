// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/estimate.h"
#include "base/quantity_text.h"
#include "scenario/outcome.h"

namespace headrace::report {

/// "11.9 s (11.1–12.8)": a figure with its interval in the same unit. `base_factor` turns the estimate's unit into the
/// measure's base unit.
std::string say_estimate(const base::Estimate& estimate, base::Measure measure, double base_factor = 1);

/// A quantity with three significant digits, zeros kept: "7.00 s", "$3.10 M".
std::string say_value(double value, base::Measure measure);

/// The same with units that are words in the language's own: "56 天".
std::string say_estimate(const base::Estimate& estimate, base::Measure measure, const class Language& language);

/// The interval alone: "11.1–12.8", in the unit that suits the value.
std::string say_interval(const base::Estimate& estimate, base::Measure measure, double base_factor = 1);

/// "1,024".
std::string grouped(std::int64_t count);
/// "1.24 M": three significant digits with K, M, B, T.
std::string short_count(double count);
/// "43.1 %".
std::string percent(double fraction, int digits = 1);
/// "−5.8 %" with a sign; "±0.0 %" when it rounds to nothing.
std::string signed_percent(double fraction);
/// Bytes as GiB with three significant digits, no unit: "61.2".
std::string in_gib(double bytes);

/// "TP 8 · PP 4 · VP 5 · DP 32 (ZeRO-1) · micro-batch 1 · selective recompute": degrees of 1 are left out.
std::string strategy_line(const scenario::Strategy& strategy, const class Language& language);

/// "4", or "4 a2a" where all-to-alls over heads take the place of the ring.
std::string context_degree(const scenario::Strategy& strategy);

/// "ZeRO-1", "DDP", "FSDP".
std::string data_parallel_label(const scenario::Strategy& strategy);

}  // namespace headrace::report
