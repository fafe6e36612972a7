// SPDX-License-Identifier: Apache-2.0
#include "training/memory_habits.h"

#include <charconv>

#include "training/job.h"

namespace headrace::training {
namespace {

/// The facts of one software entry by name.
struct Facts {
  const std::map<std::string, std::string>& facts;

  [[nodiscard]] const std::string* find(const char* name) const {
    const auto found = facts.find(name);
    return found == facts.end() ? nullptr : &found->second;
  }
  void read(const char* name, bool& out) const {
    if (const std::string* text = find(name)) out = *text == "true";
  }
  void read(const char* name, double& out) const {
    if (const std::string* text = find(name)) std::from_chars(text->data(), text->data() + text->size(), out);
  }
  void read(const char* name, base::Dtype& out) const {
    if (const std::string* text = find(name)) {
      if (const auto dtype = base::parse_dtype(*text)) out = *dtype;
    }
  }
};

workload::Trained trained_of(const scenario::Adaptation& adaptation) {
  if (adaptation.kind == scenario::FineTuning::kFull) return workload::Trained::kAll;
  return adaptation.all_linear ? workload::Trained::kLinearAdapters : workload::Trained::kQueryValueAdapters;
}

workload::Retention retention_of(const catalog::Software& software, const Facts& facts,
                                 const scenario::Numerics& numerics, const scenario::Adaptation& adaptation) {
  workload::Retention retention;
  retention.fusion = fusion_of(software);
  retention.trained = trained_of(adaptation);
  retention.element = base::bits(numerics.compute) >= 32 ? 4 : 2;
  retention.linear_element = retention.element;
  if (base::bits(numerics.compute) == 8) facts.read("memory.fp8_input_bytes", retention.linear_element);
  retention.norms_in_fp32 = !software.fused_norms && !software.compiled && retention.element < 4;
  retention.frozen_keeps_inputs = adaptation.kind == scenario::FineTuning::kQlora;
  facts.read("memory.repeats_keys", retention.repeats_keys);
  facts.read("memory.shared_projection", retention.shared_projection);
  facts.read("memory.adapter_dropout", retention.adapter_dropout);
  facts.read("memory.exchanges_heads", retention.exchanges_heads);
  facts.read("memory.weights_expert_output", retention.weights_expert_output);
  bool alternate = false;
  facts.read("memory.selective_alternate_matrices", alternate);
  if (alternate) retention.selective = workload::Selective::kAlternateMatrices;
  return retention;
}

/// Logits in the loss when no fact says so: a fused loss keeps them once in 16 bit; a compiled one adds their gradient;
/// eager PyTorch keeps them, an fp32 copy's log-softmax, and two fp32 gradients.
double default_logit_bytes(const catalog::Software& software) {
  if (software.fused_cross_entropy) return 2;
  return software.compiled ? 4 : 14;
}

}  // namespace

MemoryHabits memory_habits(const catalog::Software& software, const scenario::Numerics& numerics,
                           const scenario::Adaptation& adaptation) {
  const Facts facts{software.facts};
  MemoryHabits habits;
  habits.retention = retention_of(software, facts, numerics, adaptation);
  habits.logit_bytes = default_logit_bytes(software);
  facts.read("memory.logit_bytes", habits.logit_bytes);
  habits.tensor_logit_bytes = habits.logit_bytes;
  facts.read("memory.tensor_logit_bytes", habits.tensor_logit_bytes);
  habits.step_temporary = software.fused_optimizer ? 0 : base::bytes_of(numerics.moments);
  facts.read("memory.step_temporary", habits.step_temporary);
  habits.gradients_persist = software.gradients_in_fp32;
  facts.read("memory.gradients_persist", habits.gradients_persist);
  facts.read("memory.gradient_copy", habits.gradient_copy);
  facts.read("memory.bucket_bytes", habits.bucket_bytes);
  facts.read("memory.gathered_layers", habits.gathered_layers);
  facts.read("memory.gathers_root", habits.gathers_root);
  facts.read("memory.pipeline_keeps_whole", habits.pipeline_keeps_whole);
  facts.read("memory.dummy_gradients", habits.dummy_gradients);
  if (base::bits(numerics.compute) == 8) facts.read("memory.fp8_weight_bytes", habits.fp8_weight_bytes);
  facts.read("memory.adapters_in_fp32", habits.adapters_in_fp32);
  facts.read("memory.unties_embeddings", habits.unties_embeddings);
  facts.read("memory.keeps_whole", habits.keeps_whole);
  return habits;
}

MemoryConstants memory_constants(const catalog::Calibration& calibration) {
  const auto value = [&](const char* key) {
    const catalog::Constant* found = calibration.find(key);
    return found ? found->value : 0.0;
  };
  return {value("memory.context"), value("memory.communicator"), value("memory.fragmentation"),
          value("memory.workspace")};
}

scenario::Numerics software_numerics(const catalog::Software& software, base::Dtype compute, bool pure) {
  const Facts facts{software.facts};
  scenario::Numerics numerics;
  numerics.compute = compute;
  const base::Dtype half = compute == base::Dtype::kFp16 ? base::Dtype::kFp16 : base::Dtype::kBf16;
  if (base::bits(compute) >= 32 || pure) {
    const base::Dtype one = base::bits(compute) >= 32 ? base::Dtype::kFp32 : half;
    numerics.weights = numerics.gradients = numerics.moments = one;
    numerics.master_weights = false;
    return numerics;
  }
  numerics.weights = half;
  numerics.gradients = software.gradients_in_fp32 ? base::Dtype::kFp32 : half;
  facts.read("memory.weights", numerics.weights);
  facts.read("memory.gradients", numerics.gradients);
  facts.read("memory.moments", numerics.moments);
  facts.read("memory.master_weights", numerics.master_weights);
  return numerics;
}

}  // namespace headrace::training
