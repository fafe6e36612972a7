// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_layers.h"

namespace headrace::exchange {

/// Gemma 4's conformer: two MLPs of four widths around attention with relative places and a gated convolution in each
/// layer, two convolutions and a projection before, one after, and one into the language model. Source: its modelling
/// code in Hugging Face transformers 5.
std::int64_t read_audio(const base::Value& outer, std::int64_t text_width, HfFields& fields) {
  const base::Value* part = find_path(outer, "audio_config");
  if (part == nullptr || !part->is_map()) return 0;
  HfFields audio(*part, *part);
  if (audio.text({"model_type"}) != "gemma4_audio") return 0;
  const std::int64_t width = audio.count({"hidden_size"}, 1024);
  const std::int64_t heads = audio.count({"num_attention_heads"}, 8);
  const std::int64_t kernel = audio.count({"conv_kernel_size"}, 5);
  const std::int64_t layers = audio.count({"num_hidden_layers"}, 12, 2000);
  const std::int64_t output = audio.count({"output_proj_dims"}, 1536);
  auto channels = audio.counts("subsampling_conv_channels");
  if (channels.size() != 2) channels = {128, 32};
  const double square = static_cast<double>(width) * static_cast<double>(width);
  const auto thin = static_cast<double>((9 + kernel) * width + (heads > 0 ? width / heads : 0));
  const std::int64_t joined = channels[0] / 4 * channels[1];
  const auto before = static_cast<double>(channels[0] * (9 + 1) + channels[0] * channels[1] * 9 + channels[1]) +
                      static_cast<double>(joined) * static_cast<double>(width);
  const auto after = static_cast<double>(width * output + output + output * text_width);
  const double sum = static_cast<double>(layers) * (24 * square + thin) + before + after;
  if (const auto checked = audio.finish("gemma4_audio"); !checked) fields.fail(checked.error());
  return sum < 1e15 ? static_cast<std::int64_t>(sum) : 0;
}

}  // namespace headrace::exchange
