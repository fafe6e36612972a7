// SPDX-License-Identifier: Apache-2.0
#include "verbs/explain_operator.h"

#include <algorithm>
#include <cmath>

#include "base/value.h"
#include "cost/device.h"
#include "cost/kernels.h"

namespace headrace::verbs {
namespace {

using workload::Operator;

const base::Place kOption{"--op", 0, 0};
constexpr double kMostElements = 1e9;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// "4096x4096x4096" as numbers, as many as the operator has.
base::Result<std::vector<double>> read_shape(const std::string& text, std::size_t count) {
  std::vector<double> shape;
  for (const std::string& part : split(text, 'x')) {
    TRY(const std::int64_t size, base::Value::scalar(kOption, part, false).integer());
    if (size < 1 || double(size) > kMostElements) return base::input_error(kOption, "operator.size", {part});
    shape.push_back(double(size));
  }
  if (shape.size() != count) return base::input_error(kOption, "operator.shape", {text, std::to_string(count)});
  return shape;
}

Operator gemm(const std::vector<double>& shape, base::Dtype dtype) {
  Operator op;
  op.kind = workload::OpKind::kGemm;
  op.name = workload::OpName::kMlpUp;
  op.dtype = dtype;
  op.m = shape[0];
  op.n = shape[1];
  op.k = shape[2];
  op.flops = 2 * op.m * op.n * op.k;
  op.bytes = base::bytes_of(dtype) * (op.m * op.k + op.k * op.n + op.m * op.n);
  return op;
}

/// Causal attention of one forward pass: half of the scores are computed.
Operator attention(const std::vector<double>& shape, base::Dtype dtype) {
  Operator op;
  op.kind = workload::OpKind::kAttention;
  op.name = workload::OpName::kAttention;
  op.dtype = dtype;
  op.sequences = shape[0];
  op.heads = op.kv_heads = shape[1];
  op.q_length = op.kv_length = shape[2];
  op.head_dim = op.value_dim = shape[3];
  op.flops = 4 * op.sequences * op.heads * op.q_length * op.kv_length * op.head_dim / 2;
  op.bytes = base::bytes_of(dtype) * 4 * op.sequences * op.heads * op.q_length * op.head_dim;
  return op;
}

base::Result<Operator> read_operator(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) return base::input_error(kOption, "operator.form", {text});
  const auto dtype = base::parse_dtype(parts[2]);
  if (!dtype) return base::input_error(kOption, "scenario.unknown_dtype", {parts[2]});
  if (parts[0] == "gemm") {
    TRY(const std::vector<double> shape, read_shape(parts[1], 3));
    return gemm(shape, *dtype);
  }
  if (parts[0] == "attention") {
    TRY(const std::vector<double> shape, read_shape(parts[1], 4));
    return attention(shape, *dtype);
  }
  return base::input_error(kOption, "operator.unknown", {parts[0]},
                           base::nearest_hint(parts[0], {"gemm", "attention"}));
}

base::Result<const catalog::Accelerator*> find_accelerator(const std::string& name, const catalog::Catalog& catalog) {
  if (const catalog::Platform* platform = catalog.platforms.find(name))
    return catalog.accelerators.get(platform->accelerator, {"--on", 0, 0});
  return catalog.accelerators.get(name, {"--on", 0, 0});
}

/// The losses between the time at the peak and the predicted time, in the order in which they arise.
scenario::Waterfall losses_of(const Operator& op, const cost::Device& device, double time) {
  const double peak = device.peak[std::size_t(op.dtype)];
  const double sustained =
      op.kind == workload::OpKind::kGemm ? device.gemm_rate[std::size_t(op.dtype)] : device.attention_forward_rate;
  scenario::Waterfall waterfall{peak, op.flops / time, {}};
  double reached = op.flops / peak;
  const auto until = [&](const char* name, double seconds) {
    const double next = std::min(seconds, time);
    if (next <= reached) return;
    waterfall.steps.push_back({name, next - reached, op.flops / next});
    reached = next;
  };
  until("loss.memory_roof", op.bytes / device.memory_bandwidth);
  until("loss.sustained_clock", op.flops / sustained);
  if (op.kind == workload::OpKind::kGemm)
    until("loss.tiles", op.flops / (sustained * cost::gemm_utilisation(op.m, op.n, op.k, op.groups, device)));
  until("loss.rest", time);
  return waterfall;
}

const char* bound_name(cost::Bound bound) {
  switch (bound) {
    case cost::Bound::kCompute: return "bound.tensor";
    case cost::Bound::kMemory: return "bound.memory_bound";
    case cost::Bound::kLaunch: return "bound.launch";
    case cost::Bound::kLink: return "bound.tensor_comm";
    case cost::Bound::kNetwork: return "bound.data_comm";
  }
  return "";
}

}  // namespace

base::Result<scenario::OperatorOutcome> explain_operator(const std::string& op, const std::string& on,
                                                         const std::string& software, const Context& context) {
  TRY(const Operator work, read_operator(op));
  TRY(const catalog::Accelerator* accelerator, find_accelerator(on, context.catalog));
  TRY(const catalog::Software* release, context.catalog.software.get(software, {"--software", 0, 0}));
  TRY(const cost::Device device, cost::make_device(*accelerator, *release, context.catalog.calibration));
  const double peak = device.peak[std::size_t(work.dtype)];
  if (peak <= 0) return base::input_error(kOption, "operator.no_peak", {accelerator->id, base::dtype_name(work.dtype)});
  const cost::KernelCost cost = cost::kernel_time(work, device);
  const double time = cost.time.value();

  scenario::OperatorOutcome out;
  out.op = op;
  out.accelerator = accelerator->id;
  const catalog::Constant* low = context.catalog.calibration.find("interval.kernel.low");
  const catalog::Constant* high = context.catalog.calibration.find("interval.kernel.high");
  const double down = low ? low->value : 0.75;
  const double up = high ? high->value : 1.3;
  out.time = {time, time * down, time * up, "s", base::Basis::kAssumed, bound_name(cost.bound)};
  out.tflops = {work.flops / time / 1e12,        work.flops / time / up / 1e12,
                work.flops / time / down / 1e12, "TFLOP/s",
                base::Basis::kAssumed,           ""};
  out.flops = work.flops;
  out.bytes = work.bytes;
  out.intensity = work.flops / work.bytes;
  out.ridge = peak / device.memory_bandwidth;
  out.waterfall = losses_of(work, device, time);
  if (device.guessed) out.warnings.push_back({"warning.device_guessed", {accelerator->id}});
  out.provenance.push_back(
      {"provenance.accelerator", accelerator->id, accelerator->sources.empty() ? "" : accelerator->sources.front()});
  return out;
}

}  // namespace headrace::verbs
