// SPDX-License-Identifier: Apache-2.0
#include "report/json_parts.h"

#include <cmath>

#include "scenario/names.h"

namespace headrace::report {

std::string_view last_word(std::string_view id) { return id.substr(id.rfind('.') + 1); }

void write_estimate(base::JsonWriter& json, const base::Estimate& estimate) {
  json.begin_object();
  json.member("value", estimate.value).member("low", estimate.low).member("high", estimate.high);
  json.member("unit", estimate.unit).member("basis", base::basis_name(estimate.basis));
  if (!estimate.bound.empty()) json.member("bound", last_word(estimate.bound));
  json.end_object();
}

void write_estimate(base::JsonWriter& json, const char* key, const std::optional<base::Estimate>& estimate) {
  json.key(key);
  if (estimate) {
    write_estimate(json, *estimate);
  } else {
    json.null();
  }
}

void write_strategy(base::JsonWriter& json, const scenario::Strategy& s) {
  json.begin_object();
  json.member("tensor", s.tensor).member("pipeline", s.pipeline).member("virtual_pipeline", s.virtual_pipeline);
  json.member("context", s.context)
      .member("data", s.data)
      .member("expert", s.expert)
      .member("expert_tensor", s.expert_tensor);
  if (s.context > 1) json.member("context_kind", scenario::name_of(s.context_kind));
  json.member("micro_batch", s.micro_batch).member("global_batch", s.global_batch);
  json.member("sequence_parallel", s.sequence_parallel).member("data_parallel", scenario::name_of(s.data_parallel));
  json.member("shard_group", s.shard_group).member("recompute", scenario::name_of(s.recompute));
  json.member("recompute_layers", s.recompute_layers).member("schedule", scenario::name_of(s.schedule));
  json.member("overlap_gradient_reduce", s.overlap_gradient_reduce);
  json.member("overlap_parameter_gather", s.overlap_parameter_gather);
  json.member("overlap_tensor", s.overlap_tensor).member("offload_optimizer", s.offload_optimizer);
  json.end_object();
}

void write_value(base::JsonWriter& json, const base::Value& value) {
  switch (value.kind()) {
    case base::Value::Kind::kNull: json.null(); return;
    case base::Value::Kind::kScalar:
      if (value.quoted()) {
        json.text(value.raw());
      } else if (const auto boolean = value.boolean()) {
        json.boolean(*boolean);
      } else if (const auto integer = value.integer()) {
        json.integer(*integer);
      } else if (const auto number = value.number()) {
        json.number(*number);
      } else {
        json.text(value.raw());
      }
      return;
    case base::Value::Kind::kList:
      json.begin_array();
      for (const base::Value& item : value.items()) write_value(json, item);
      json.end_array();
      return;
    case base::Value::Kind::kMap: break;
  }
  json.begin_object();
  for (const auto& member : value.members()) {
    json.key(member.key);
    write_value(json, member.value);
  }
  json.end_object();
}

namespace {

void write_memory(base::JsonWriter& json, const scenario::MemoryOutcome& memory) {
  json.key("memory_per_gpu").begin_object();
  for (const base::Share& part : memory.parts.parts) json.member(last_word(part.name), part.value);
  json.key("peak");
  write_estimate(json, memory.peak);
  json.member("peak_stage", memory.peak_stage).member("capacity", memory.capacity).member("unit", memory.parts.unit);
  json.end_object();
}

void write_breakdown(base::JsonWriter& json, const base::Breakdown& breakdown) {
  const double total = breakdown.total();
  json.key("breakdown").begin_array();
  for (const base::Share& part : breakdown.parts) {
    json.begin_object().member("name", last_word(part.name)).member("value", part.value);
    json.member("unit", breakdown.unit).member("share", total > 0 ? part.value / total : 0.0).end_object();
  }
  json.end_array();
}

void write_checkpoint(base::JsonWriter& json, const std::optional<scenario::CheckpointOutcome>& checkpoint) {
  json.key("checkpoint");
  if (!checkpoint) {
    json.null();
    return;
  }
  json.begin_object().member("bytes", checkpoint->bytes);
  // Without failures a run of unknown length needs none.
  if (std::isfinite(checkpoint->interval)) json.member("interval", checkpoint->interval);
  if (checkpoint->first_order_interval > 0 && std::isfinite(checkpoint->first_order_interval))
    json.member("first_order_interval", checkpoint->first_order_interval);
  write_estimate(json, "write_time", checkpoint->write_time);
  json.member("asynchronous", checkpoint->asynchronous).end_object();
}

}  // namespace

void write_training(base::JsonWriter& json, const scenario::TrainingOutcome& outcome) {
  json.key("strategy");
  write_strategy(json, outcome.strategy);
  json.member("platform", outcome.platform).member("accelerator", outcome.accelerator);
  json.member("accelerators", outcome.accelerators).member("nodes", outcome.nodes).member("fits", outcome.fits);
  write_estimate(json, "step_time", outcome.step_time);
  write_estimate(json, "tokens_per_second_per_gpu", outcome.tokens_per_second_per_gpu);
  write_estimate(json, "model_tflops_per_gpu", outcome.model_tflops_per_gpu);
  const bool peak_known = outcome.mfu.value > 0;
  write_estimate(json, "mfu", peak_known ? std::optional(outcome.mfu) : std::nullopt);
  write_estimate(json, "hfu", peak_known ? std::optional(outcome.hfu) : std::nullopt);
  json.member("flops_convention", "model FLOPs with full (non-causal) attention, over the dense data-sheet peak");
  write_memory(json, outcome.memory);
  write_estimate(json, "power_per_gpu", outcome.power_per_gpu);
  write_estimate(json, "ettr", outcome.ettr);
  write_estimate(json, "failures", outcome.failures);
  write_checkpoint(json, outcome.checkpoint);
  write_estimate(json, "time_to_train", outcome.time_to_train);
  write_estimate(json, "gpu_hours", outcome.gpu_hours);
  write_estimate(json, "energy", outcome.energy);
  write_estimate(json, "carbon", outcome.carbon);
  write_estimate(json, "electricity", outcome.electricity);
  write_estimate(json, "price_per_gpu_hour", outcome.price_per_gpu_hour);
  write_estimate(json, "cost", outcome.cost);
  write_breakdown(json, outcome.breakdown);
  if (!outcome.gains.empty()) {
    json.key("ten_percent_more").begin_array();
    for (const scenario::Gain& gain : outcome.gains)
      json.begin_object()
          .member("resource", last_word(gain.resource))
          .member("step_time_change", gain.change)
          .end_object();
    json.end_array();
  }
}

void write_waterfall(base::JsonWriter& json, const scenario::Waterfall& waterfall) {
  json.begin_object().member("peak", waterfall.peak).member("achieved", waterfall.achieved).member("unit", "FLOP/s");
  json.key("losses").begin_array();
  for (const scenario::WaterfallStep& step : waterfall.steps) {
    json.begin_object().member("name", last_word(step.name)).member("seconds", step.seconds);
    json.member("remaining", step.remaining).end_object();
  }
  json.end_array().end_object();
}

void write_warnings(base::JsonWriter& json, const std::vector<base::Message>& warnings, const Language& language) {
  json.key("warnings").begin_array();
  for (const base::Message& warning : warnings) {
    json.begin_object().member("id", warning.id).member("text", language.say(warning)).end_object();
  }
  json.end_array();
}

void write_provenance(base::JsonWriter& json, const std::vector<scenario::Provenance>& provenance) {
  json.key("provenance").begin_array();
  for (const scenario::Provenance& fact : provenance) {
    json.begin_object().member("what", last_word(fact.what)).member("value", fact.value);
    json.member("source", fact.source).end_object();
  }
  json.end_array();
}

}  // namespace headrace::report
