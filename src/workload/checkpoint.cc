// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "workload/parameters.h"
#include "workload/tensors.h"

namespace headrace::workload {
namespace {

bool is_quantized(Part part, const QuantizedParts& parts) {
  switch (part) {
    case Part::kAttention: return parts.attention;
    case Part::kStateSpace: return parts.state_space;
    case Part::kMlp: return parts.mlp;
    case Part::kExpert: return parts.experts;
    case Part::kSharedExpert: return parts.shared_experts;
    case Part::kHead: return parts.head;
    default: return false;
  }
}

double blocks_along(double width, std::int64_t block) {
  return block == 0 ? 1 : std::ceil(width / static_cast<double>(block));
}

/// One matrix in its codes, with scales and zeros of its blocks.
double quantized_bytes(const Tensor& tensor, const Quantization& how) {
  if (tensor.part == Part::kExpert && how.expert_bits > 0)
    return tensor.parameters() * (how.expert_bits / 8 + 1.0 / 32);
  const double blocks = blocks_along(tensor.inputs, how.block_inputs) * blocks_along(tensor.outputs, how.block_outputs);
  const double codes = tensor.outputs * tensor.inputs * how.bits / 8;
  return tensor.count *
         (codes + blocks * (how.scale_bytes + how.zero_bits / 8) + tensor.inputs * how.input_bytes + how.matrix_bytes);
}

/// How the checkpoint stores a matrix; nullptr = in the model's own number format.
const Quantization* format_of(const Tensor& tensor, const Architecture& model) {
  if (!tensor.linear) return nullptr;
  for (const Quantization* how : {&model.quantized, &model.also_quantized}) {
    if (how->bits > 0 && is_quantized(tensor.part, how->parts)) return how;
  }
  return nullptr;
}

double stored_bytes(const Tensors& tensors, const Architecture& model, bool quantizes) {
  double sum = 0;
  for (const Tensor& tensor : tensors) {
    const Quantization* how = quantizes ? format_of(tensor, model) : nullptr;
    sum += how != nullptr ? quantized_bytes(tensor, *how) : tensor.parameters() * base::bytes_of(model.stored);
  }
  return sum;
}

}  // namespace

double checkpoint_bytes(const Architecture& model) {
  std::vector<double> layer_bytes;
  for (const LayerKind& kind : model.kinds)
    layer_bytes.push_back(stored_bytes(layer_tensors(model, kind), model, true));
  double sum = 0;
  for (const int layer : model.layers) sum += layer_bytes[static_cast<std::size_t>(layer)];
  sum += stored_bytes(embedding_tensors(model), model, false) + stored_bytes(head_tensors(model), model, true);
  sum += model.mtp_layers * stored_bytes(mtp_tensors(model), model, model.quantized.parts.mtp);
  return sum + model.stored_buffers + static_cast<double>(model.other_parameters) * base::bytes_of(model.stored);
}

}  // namespace headrace::workload
