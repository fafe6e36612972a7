// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"
#include "report/json_parts.h"
#include "report/outcome_json.h"

namespace headrace::report {
namespace {

void write_metric(base::JsonWriter& json, const evidence::Metric& metric) {
  json.begin_object().member("metric", metric.metric).member("split", metric.split);
  json.member("median_ape", metric.median_ape).member("row_median_ape", metric.row_median_ape);
  json.member("mean_ape", metric.mean_ape).member("p90_ape", metric.p90_ape).member("bias", metric.bias);
  json.member("coverage_80", metric.coverage_80).member("half_width", metric.half_width);
  json.member("interval_score", metric.interval_score);
  json.member("constant_interval_score", metric.constant_interval_score);
  json.member("value", metric.value).member("worst", metric.worst);
  json.end_object();
}

void write_group(base::JsonWriter& json, const evidence::GroupScore& group) {
  json.begin_object()
      .member("accelerator", group.accelerator)
      .member("source", group.source)
      .member("model", group.model);
  json.member("used", group.used).member("median_ape", group.median_ape).member("bias", group.bias).end_object();
}

void write_family(base::JsonWriter& json, const evidence::FamilyScore& family) {
  json.begin_object().member("family", family.family).member("rows", family.rows).member("used", family.used);
  json.key("skipped").begin_object();
  for (const auto& [reason, count] : family.skipped) json.member(last_word(reason), count);
  json.end_object().key("metrics").begin_array();
  for (const evidence::Metric& metric : family.metrics) write_metric(json, metric);
  json.end_array().key("groups").begin_array();
  for (const evidence::GroupScore& group : family.groups) write_group(json, group);
  json.end_array().end_object();
}

}  // namespace

std::string validation_json(const std::vector<evidence::FamilyScore>& families) {
  base::JsonWriter json;
  json.begin_object().member("headrace", 1).member("verb", "validate").key("families").begin_array();
  for (const evidence::FamilyScore& family : families) write_family(json, family);
  json.end_array().end_object();
  return json.take();
}

}  // namespace headrace::report
