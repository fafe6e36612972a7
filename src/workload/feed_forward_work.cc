// SPDX-License-Identifier: Apache-2.0
#include "workload/layer_parts.h"

namespace headrace::workload {

void add_dense_work(Work& work, const Context& context, const FeedForward& mlp, double hidden, OpName up, OpName down) {
  const double tokens = context.tokens();
  const double wide = hidden / context.sharding.tensor;
  add_linear(work, context, up, tokens, context.hidden(), wide * (mlp.gated ? 2 : 1));
  add_activation(work, context, tokens, wide, mlp);
  add_linear(work, context, down, tokens, wide, context.hidden());
}

namespace {

/// Tokens that this rank sends to experts: with tensor parallelism each rank routes its own part.
double routed_tokens(const Context& context) { return context.tokens() / context.sharding.tensor; }

/// All-to-all over the expert ranks and, where one expert is divided, a gather (and on the way back a reduce-scatter)
/// over its parts.
void add_dispatch(Work& work, const Context& context, double bytes, bool there) {
  if (context.sharding.expert > 1) add_transfer(work, Collective::kAllToAll, Axis::kExpert, bytes);
  if (context.sharding.expert_tensor == 1) return;
  const double gathered = bytes * context.sharding.expert_tensor;
  const bool gathers = there == (context.pass == Pass::kForward);
  add_transfer(work, gathers ? Collective::kAllGather : Collective::kReduceScatter, Axis::kExpertTensor, gathered);
}

}  // namespace

/// Routing, dispatch, the experts of this rank with evenly filled capacity, and combination. Source: Megatron-Core's
/// MoE token dispatcher (facts).
void add_expert_work(Work& work, const Context& context, const FeedForward& mlp) {
  const double tokens = routed_tokens(context);
  const double experts = static_cast<double>(mlp.experts);
  // Experts that compute nothing take their share of the choices.
  const double choices =
      static_cast<double>(mlp.experts_per_token) * experts / (experts + static_cast<double>(mlp.zero_experts));
  const double width = mlp.expert_width > 0 ? static_cast<double>(mlp.expert_width) : context.hidden();
  add_linear(work, context, OpName::kRouter, tokens, context.hidden(), experts + static_cast<double>(mlp.zero_experts));
  add_elementwise(work, context, OpName::kRouter, tokens * experts, 4, 4);
  if (mlp.expert_width > 0) add_linear(work, context, OpName::kExpertUp, tokens, context.hidden(), width);

  const double copies = tokens * choices;
  const double bytes = copies * width * context.width();
  add_elementwise(work, context, OpName::kPermute, copies * width, 2, 2);
  add_dispatch(work, context, bytes, true);
  const double local = experts / context.sharding.expert;
  const double rows = copies * context.sharding.expert_tensor / local;
  const double wide = static_cast<double>(mlp.expert_hidden) / context.sharding.expert_tensor;
  add_grouped(work, context, OpName::kExpertUp, local, rows, width, wide * (mlp.gated ? 2 : 1));
  add_activation(work, context, local * rows, wide, mlp);
  add_grouped(work, context, OpName::kExpertDown, local, rows, wide, width);
  add_dispatch(work, context, bytes, false);
  add_elementwise(work, context, OpName::kPermute, copies * width, 2, 2);
  if (mlp.expert_width > 0) add_linear(work, context, OpName::kExpertDown, tokens, width, context.hidden());
}

}  // namespace headrace::workload
