// SPDX-License-Identifier: Apache-2.0
#include "judge/training_row.h"

#include <fmt/core.h>

#include <cctype>

namespace headrace::judge {

namespace {

/// Cuts a release number off a repository's name: training_results_v4.1 → training_results.
std::string without_release(std::string name) {
  const auto cut = name.rfind("_v");
  if (cut == std::string::npos || cut + 2 >= name.size()) return name;
  return std::isdigit(static_cast<unsigned char>(name[cut + 2])) ? name.substr(0, cut) : name;
}

}  // namespace

std::string source_of(const std::string& url) {
  const auto scheme = url.find("://");
  std::string rest = scheme == std::string::npos ? url : url.substr(scheme + 3);
  const bool github = rest.starts_with("github.com/");
  if (github) rest = rest.substr(11);
  const auto first = rest.find('/');
  if (first == std::string::npos) return rest;
  const auto second = rest.find('/', first + 1);
  return without_release(rest.substr(0, second));
}

base::Result<TrainingRow> read_training_row(const base::CsvTable& table, const base::CsvTable::Row& row) {
  TrainingRow result;
  const auto text = [&](const char* name) { return table.cell(row, name); };
  result.id = text("id");
  result.source = source_of(text("source_url"));
  result.accelerator = text("accelerator");
  result.model = text("model");
  result.framework = text("framework");
  result.metric = text("metric");
  result.precision = text("precision");
  result.data_parallel = text("data_parallel_kind");
  result.recompute = text("recompute");
  result.sequence_parallel = text("sequence_parallel");
  result.network = text("inter_node_network");
  result.convention = text("flops_convention");
  result.notes = text("notes");
  const struct {
    std::optional<double>& to;
    const char* column;
    double highest = 1e7;
  } numbers[] = {{result.year, "year"},
                 {result.accelerators, "n_accel"},
                 {result.per_node, "accel_per_node"},
                 {result.parameters, "params_b", 1e7},
                 {result.layers, "layers", 1e4},
                 {result.hidden, "hidden"},
                 {result.ffn, "ffn_hidden"},
                 {result.heads, "heads"},
                 {result.kv_heads, "kv_heads"},
                 {result.vocabulary, "vocab"},
                 {result.experts, "experts"},
                 {result.experts_per_token, "topk"},
                 {result.sequence, "seq_len", 1e9},
                 {result.global_batch, "global_batch_seqs", 1e9},
                 {result.micro_batch, "micro_batch"},
                 {result.tensor, "tp"},
                 {result.pipeline, "pp"},
                 {result.virtual_pipeline, "vpp"},
                 {result.context, "cp"},
                 {result.expert, "ep"},
                 {result.data, "dp"},
                 {result.value, "value", 1e15}};
  for (const auto& number : numbers) {
    TRY(number.to, base::csv_number(table, row, number.column));
    const double value = number.to.value_or(0);
    if (value < 0 || value > number.highest)
      return base::input_error(table.place(row, number.column), "base.out_of_range",
                               {number.column, text(number.column), "0", fmt::format("{}", number.highest)});
  }
  return result;
}

}  // namespace headrace::judge
