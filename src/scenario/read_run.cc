// SPDX-License-Identifier: Apache-2.0
#include "scenario/parts.h"

namespace headrace::scenario {

base::Result<Failures> read_failures(const base::Value& value) {
  base::Fields fields(value);
  Failures failures;
  TRY(failures.per_node_day, fields.maybe_number("per_node_day", {0.0, 1000.0}));
  CHECK_OK(read_quantity(fields, "detection", base::Measure::kTime, failures.detection));
  CHECK_OK(read_quantity(fields, "restart", base::Measure::kTime, failures.restart));
  CHECK_OK(fields.finish());
  return failures;
}

base::Result<Checkpoints> read_checkpoints(const base::Value& value) {
  base::Fields fields(value);
  Checkpoints checkpoints;
  if (const base::Value* interval = fields.optional("interval");
      interval && !(interval->is_scalar() && interval->raw() == "auto")) {
    CHECK_OK(read_quantity(fields, "interval", base::Measure::kTime, checkpoints.interval));
    if (checkpoints.interval->value() <= 0)
      return base::input_error(interval->place(), "scenario.not_positive", {"interval"});
  }
  TRY(checkpoints.asynchronous, fields.boolean_or("asynchronous", false));
  CHECK_OK(fields.finish());
  return checkpoints;
}

base::Result<Money> read_money(const base::Value& value) {
  base::Fields fields(value);
  Money money;
  std::optional<base::Seconds> lifetime;
  CHECK_OK(read_quantity(fields, "rent", base::Measure::kRentPrice, money.rent));
  CHECK_OK(read_quantity(fields, "purchase", base::Measure::kMoney, money.purchase));
  CHECK_OK(read_quantity(fields, "lifetime", base::Measure::kTime, lifetime));
  CHECK_OK(fields.finish());
  if (money.rent && money.purchase) return base::input_error(value.place(), "scenario.rent_and_purchase");
  if (money.purchase && (!lifetime || lifetime->value() <= 0))
    return base::input_error(value.place(), "scenario.purchase_needs_lifetime");
  if (lifetime) money.lifetime = *lifetime;
  return money;
}

base::Result<base::BytesPerSecond> read_storage(const base::Value& value) {
  std::optional<base::BytesPerSecond> write;
  if (value.is_map()) {
    base::Fields fields(value);
    CHECK_OK(read_quantity(fields, "write_bandwidth", base::Measure::kBandwidth, write));
    CHECK_OK(fields.finish());
    if (!write) return base::input_error(value.place(), "scenario.storage_lacks");
  } else {
    TRY(const double number, base::parse_quantity(value, base::Measure::kBandwidth));
    write = base::BytesPerSecond(number);
  }
  if (write->value() <= 0) return base::input_error(value.place(), "scenario.not_positive", {"write_bandwidth"});
  return *write;
}

}  // namespace headrace::scenario
