// SPDX-License-Identifier: Apache-2.0
#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

/// The values of a key: none for `auto`, one, or a list; each through `read`.
template <typename T, typename Read>
base::Result<void> read_choices(base::Fields& fields, const std::string& key, std::vector<T>& out, Read read) {
  const base::Value* value = fields.optional(key);
  if (!value || (value->is_scalar() && value->raw() == "auto")) return {};
  if (!value->is_list()) {
    TRY(const T one, read(*value));
    out.push_back(one);
    return {};
  }
  if (value->items().empty()) return base::input_error(value->place(), "scenario.empty_list", {key});
  for (const base::Value& item : value->items()) {
    TRY(const T one, read(item));
    if (std::find(out.begin(), out.end(), one) != out.end())
      return base::input_error(item.place(), "scenario.twice", {item.raw(), key});
    out.push_back(one);
  }
  return {};
}

auto integer_from(std::int64_t low) {
  return [low](const base::Value& value) -> base::Result<std::int64_t> {
    TRY(const std::int64_t number, value.integer());
    constexpr std::int64_t kMost = std::int64_t{1} << 24;
    if (number < low || number > kMost)
      return base::input_error(value.place(), "scenario.number_range",
                               {value.raw(), std::to_string(low), std::to_string(kMost)});
    return number;
  };
}

base::Result<bool> read_flag(const base::Value& value) { return value.boolean(); }

/// `recompute_layers` of -1 stands for all.
base::Result<void> read_degrees(base::Fields& fields, StrategyChoices& out) {
  CHECK_OK(read_choices(fields, "tensor", out.tensor, integer_from(1)));
  CHECK_OK(read_choices(fields, "pipeline", out.pipeline, integer_from(1)));
  CHECK_OK(read_choices(fields, "virtual_pipeline", out.virtual_pipeline, integer_from(1)));
  CHECK_OK(read_choices(fields, "context", out.context, integer_from(1)));
  CHECK_OK(read_choices(fields, "expert", out.expert, integer_from(1)));
  CHECK_OK(read_choices(fields, "expert_tensor", out.expert_tensor, integer_from(1)));
  CHECK_OK(read_choices(fields, "data", out.data, integer_from(1)));
  CHECK_OK(read_choices(fields, "micro_batch", out.micro_batch, integer_from(1)));
  CHECK_OK(read_choices(fields, "shard_group", out.shard_group, integer_from(0)));
  return read_choices(fields, "recompute_layers", out.recompute_layers, integer_from(-1));
}

}  // namespace

base::Result<StrategyChoices> read_strategy(const base::Value& value) {
  StrategyChoices out;
  if (value.is_scalar() && value.raw() == "auto") return out;
  if (!value.is_map()) return base::input_error(value.place(), "scenario.strategy_kind", {value.kind_id()});
  base::Fields fields(value);
  CHECK_OK(read_degrees(fields, out));
  CHECK_OK(read_choices(fields, "data_parallel", out.data_parallel,
                        [](const base::Value& item) { return read_word(item, data_parallel_names()); }));
  CHECK_OK(read_choices(fields, "recompute", out.recompute,
                        [](const base::Value& item) { return read_word(item, recompute_names()); }));
  CHECK_OK(read_choices(fields, "schedule", out.schedule,
                        [](const base::Value& item) { return read_word(item, schedule_names()); }));
  CHECK_OK(read_choices(fields, "context_kind", out.context_kind,
                        [](const base::Value& item) { return read_word(item, context_kind_names()); }));
  CHECK_OK(read_choices(fields, "sequence_parallel", out.sequence_parallel, read_flag));
  CHECK_OK(read_choices(fields, "overlap_gradient_reduce", out.overlap_gradient_reduce, read_flag));
  CHECK_OK(read_choices(fields, "overlap_parameter_gather", out.overlap_parameter_gather, read_flag));
  CHECK_OK(read_choices(fields, "overlap_tensor", out.overlap_tensor, read_flag));
  CHECK_OK(read_choices(fields, "offload_optimizer", out.offload_optimizer, read_flag));
  CHECK_OK(fields.finish());
  return out;
}

}  // namespace headrace::scenario
