// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "exchange/hf_layers.h"

namespace headrace::exchange {
namespace {

constexpr std::int64_t kPatch = 588;  // values of 14 × 14 pixels of 3 colours

std::int64_t linear(std::int64_t inputs, std::int64_t outputs) { return inputs * outputs + outputs; }

/// `layers` blocks of a vision transformer with biases and layer norms, its patch embedding and its places.
std::int64_t transformer(std::int64_t layers, std::int64_t width, std::int64_t inner, std::int64_t patch,
                         std::int64_t places) {
  const std::int64_t block = 4 * linear(width, width) + linear(width, inner) + linear(inner, width) + 4 * width;
  return layers * block + patch * width + places * width;
}

/// CLIP's ViT-L/14 at 336 without its last layer, pooling by attention over two layers' outputs, a gated projector half
/// as wide as the language model's MLP input, and 128 embeddings of image tokens. Source: Molmo's configuration class.
std::int64_t molmo(const base::Value& outer, std::int64_t text_width) {
  HfFields fields(outer, outer);
  constexpr std::int64_t kWidth = 1024;
  constexpr std::int64_t kPlaces = 577;  // 24 × 24 patches and the class
  constexpr std::int64_t kClassNormAndPad = kWidth + 2 * kWidth + 4 * kWidth;
  const std::int64_t clip = transformer(23, kWidth, 4096, kPatch, kPlaces) + kClassNormAndPad;
  const std::int64_t pooling = 3 * linear(2 * kWidth, kWidth) + linear(kWidth, kWidth);
  const std::int64_t inner = fields.count({"intermediate_size"}, 0) / 2;
  return clip + pooling + 2 * kWidth * inner + inner * text_width + 128 * text_width;
}

/// ConvNeXt-XXLarge with CLIP's head of 1024. Source: arXiv 2201.03545; its widths and depths in OpenCLIP.
std::int64_t convnext_xxlarge() {
  constexpr std::array<std::int64_t, 4> kWidths = {384, 768, 1536, 3072};
  constexpr std::array<std::int64_t, 4> kDepths = {3, 4, 30, 3};
  std::int64_t sum = linear(48, kWidths[0]) + 2 * kWidths[0];
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    const std::int64_t width = kWidths[i];
    if (i > 0) sum += 2 * kWidths[i - 1] + linear(4 * kWidths[i - 1], width);
    // A convolution of 7 × 7 per channel, a norm, two matrices, a scale.
    sum += kDepths[i] * (linear(49, width) + 2 * width + linear(width, 4 * width) + linear(4 * width, width) + width);
  }
  return sum + 2 * kWidths[3] + linear(kWidths[3], 1024);
}

/// SigLIP-2 without its last layer beside ConvNeXt, two matrices for both, an embedding of line ends.
std::int64_t logics(std::int64_t text_width) {
  constexpr std::int64_t kWidth = 1152;
  constexpr std::int64_t kPlaces = 729;  // 27 × 27 patches
  const std::int64_t siglip = transformer(26, kWidth, 4304, kPatch, kPlaces) + 3 * kWidth;
  const std::int64_t joined = kWidth + 3072;
  return siglip + convnext_xxlarge() + linear(joined, text_width) + linear(text_width, text_width) + text_width;
}

}  // namespace

std::int64_t named_tower_parameters(const std::string& type, const base::Value& outer, std::int64_t text_width) {
  if (type == "molmo") return molmo(outer, text_width);
  const base::Value* tower = find_path(outer, "mm_vision_tower");
  const bool known = tower != nullptr && tower->is_scalar() && tower->raw() == "convnext-1024,siglip2-384";
  return type == "logics" && known ? logics(text_width) : 0;
}

}  // namespace headrace::exchange
