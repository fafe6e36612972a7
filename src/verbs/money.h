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

/// Watts that one accelerator, and its share of the server, draw during a step, before cooling: power limits times an
/// assumed share of them.
struct Power {
  base::Estimate accelerator;
  base::Estimate server;  ///< the accelerator and its share of the host
};
std::optional<Power> power_of(const PreparedMachine& machine, const catalog::Catalog& catalog);

}  // namespace headrace::verbs
