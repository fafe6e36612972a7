// SPDX-License-Identifier: Apache-2.0
#include "workload/layer_parts.h"

namespace headrace::workload {
namespace {

double as_double(std::int64_t n) { return static_cast<double>(n); }

struct Widths {
  double projected = 0;  ///< outputs of the input projection, all ranks
  double mixed = 0;      ///< channels of the short convolution
  double inner = 0;      ///< inputs of the output projection
  double state = 0;      ///< values of recurrent state per token step
};

Widths widths_of(const Mixer& mixer) {
  const double inner = as_double(mixer.inner_dim);
  const double state = as_double(mixer.state_dim);
  if (mixer.kind == MixerKind::kMamba) return {2 * inner, inner, inner, inner * state};
  if (mixer.kind == MixerKind::kMamba2) {
    const double mixed = inner + 2 * as_double(mixer.groups) * state;
    return {inner + mixed + as_double(mixer.heads), mixed, inner, inner * state};
  }
  const double keys = as_double(mixer.kv_heads * mixer.head_dim);
  const double values = as_double(mixer.heads * mixer.value_dim);
  const double mixed = 2 * keys + values;
  return {mixed + (mixer.output_gate ? values : 0), mixed, values, values * as_double(mixer.head_dim)};
}

/// The recurrence, chunked: per token each state value is decayed, added to and read (three multiply-adds); inputs and
/// outputs go through memory.
void add_scan(Work& work, const Context& context, const Widths& widths) {
  const double tensor = context.sharding.tensor;
  const double tokens = context.tokens();
  Operator op;
  op.kind = OpKind::kScan;
  op.name = OpName::kScan;
  op.dtype = context.activation;
  const double factor = context.pass == Pass::kForward ? 1 : 2.5;
  op.flops = 6 * tokens * widths.state / tensor * factor;
  op.bytes =
      tokens * (widths.mixed + widths.inner) / tensor * context.width() * (context.pass == Pass::kForward ? 1 : 2);
  op.launches = context.pass == Pass::kForward ? 5 : 10;
  work.operators.push_back(op);
}

}  // namespace

void add_state_space_work(Work& work, const Context& context, const Mixer& mixer) {
  const Widths widths = widths_of(mixer);
  const double tensor = context.sharding.tensor;
  const double tokens = context.tokens();
  add_linear(work, context, OpName::kQkv, tokens, context.hidden(), widths.projected / tensor);
  add_elementwise(work, context, OpName::kActivation, tokens * widths.mixed / tensor,
                  context.pass == Pass::kForward ? 2 : 4);
  if (mixer.kind == MixerKind::kMamba) {
    const double rank = as_double(mixer.dt_rank);
    add_linear(work, context, OpName::kQkv, tokens, widths.inner / tensor, rank + 2 * as_double(mixer.state_dim));
    add_linear(work, context, OpName::kQkv, tokens, rank, widths.inner / tensor);
  }
  add_scan(work, context, widths);
  add_elementwise(work, context, OpName::kActivation, tokens * widths.inner / tensor,
                  context.pass == Pass::kForward ? 3 : 5);
  add_linear(work, context, OpName::kAttentionOutput, tokens, widths.inner / tensor, context.hidden());
}

}  // namespace headrace::workload
