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

double stored_bytes(const Tensors& tensors, const Architecture& model, bool quantizes) {
  double sum = 0;
  for (const Tensor& tensor : tensors) {
    const bool narrow =
        quantizes && model.quantized.bits > 0 && tensor.linear && is_quantized(tensor.part, model.quantized.parts);
    sum += narrow ? quantized_bytes(tensor, model.quantized) : tensor.parameters() * base::bytes_of(model.stored);
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
  sum += stored_bytes(embedding_tensors(model), model, false) + stored_bytes(head_tensors(model), model, false);
  sum += model.mtp_layers * stored_bytes(mtp_tensors(model), model, model.quantized.parts.mtp);
  return sum + model.stored_buffers + static_cast<double>(model.other_parameters) * base::bytes_of(model.stored);
}

}  // namespace headrace::workload
