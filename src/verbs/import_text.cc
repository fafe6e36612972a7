// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "verbs/import.h"

namespace headrace::verbs {
namespace {

using workload::FeedForward;
using workload::Mixer;
using workload::MixerKind;

std::string count(double value) { return fmt::format("{:.2f} B", value / 1e9); }

std::string number(std::int64_t value) { return fmt::format("{}", value); }

/// How a layer mixes tokens, as a sentence with its sizes.
std::string mixer_text(const Mixer& mixer, const report::Language& language) {
  switch (mixer.kind) {
    case MixerKind::kNone: return "";
    case MixerKind::kAttention:
      return language.say("import.attention", {number(mixer.heads), number(mixer.kv_heads), number(mixer.head_dim)}) +
             (mixer.window > 0 ? language.say("import.window", {number(mixer.window)}) : "");
    case MixerKind::kLatent:
      return language.say("import.latent", {number(mixer.heads), number(mixer.kv_lora_rank), number(mixer.rope_dim)});
    case MixerKind::kMamba:
    case MixerKind::kMamba2:
      return language.say("import.state_space", {number(mixer.inner_dim), number(mixer.state_dim)});
    case MixerKind::kLinear: return language.say("import.linear", {number(mixer.heads), number(mixer.value_dim)});
  }
  return "";
}

std::string feed_forward_text(const FeedForward& mlp, const report::Language& language) {
  std::string text;
  if (mlp.hidden > 0) text = language.say("import.mlp", {number(mlp.hidden)});
  if (mlp.experts == 0) return text;
  if (!text.empty()) text += " + ";
  text +=
      language.say("import.experts", {number(mlp.experts), number(mlp.expert_hidden), number(mlp.experts_per_token)});
  if (mlp.shared_hidden > 0) text += language.say("import.shared", {number(mlp.shared_hidden)});
  return text;
}

}  // namespace

std::string import_text(const ModelImport& import, const report::Language& language) {
  const workload::Architecture& model = import.architecture;
  const workload::Parameters& counts = import.parameters;
  std::string text =
      language.say("import.counts", {model.text_model_type, count(counts.total), count(counts.active)}) + "\n";
  text += language.say("import.frame", {number(model.hidden), number(static_cast<std::int64_t>(model.layers.size())),
                                        number(model.vocabulary), number(model.context_length)}) +
          "\n";
  for (std::size_t i = 0; i < model.kinds.size(); ++i) {
    const auto times = std::ranges::count(model.layers, static_cast<int>(i));
    const std::string mixer = mixer_text(model.kinds[i].mixer, language);
    const std::string mlp = feed_forward_text(model.kinds[i].feed_forward, language);
    text += fmt::format("  {} × {}{}{}\n", times, mixer, mixer.empty() || mlp.empty() ? "" : ", ", mlp);
  }
  text += language.say("import.checkpoint",
                       {base::print_quantity(import.checkpoint_bytes, base::Measure::kBytes),
                        model.quantization.empty() ? base::dtype_name(model.stored) : model.quantization}) +
          "\n";
  for (const std::string& guess : model.guesses) text += language.say(guess) + "\n";
  return text;
}

}  // namespace headrace::verbs
