// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/estimate.h"
#include "verbs/prepare.h"

namespace headrace::verbs {

/// USD per accelerator-hour: the platform's own on-demand price, else the median over dated on-demand prices of
/// platforms with the same accelerator.
struct Rent {
  base::Estimate price;
  std::string source;  ///< which platforms, where and when
};
std::optional<Rent> rent_of(const PreparedMachine& machine, const catalog::Catalog& catalog);

/// The price that the scenario states, else rent_of: the user's own rent, or a purchase written off over its lifetime.
std::optional<Rent> price_of(const PreparedMachine& machine, const scenario::Money& money,
                             const catalog::Catalog& catalog);

/// Watts that one accelerator, and its share of the server, draw on the mean of a step, before cooling. Each part of
/// the step draws its share of the power limit: matrix kernels most, then memory-bound kernels, communication, waiting.
/// The host draws the same all the time. An empty breakdown stands for matrix kernels alone, the most that a step
/// draws.
struct Power {
  base::Estimate accelerator;
  base::Estimate server;  ///< the accelerator and its share of the host
};
std::optional<Power> power_of(const PreparedMachine& machine, const base::Breakdown& step,
                              const catalog::Catalog& catalog);

}  // namespace headrace::verbs
