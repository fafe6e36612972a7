// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/architecture.h"

namespace headrace::workload {

/// A model as a serving engine (vLLM's configuration reader) sees it: what it sizes caches and picks kernels by.
struct EngineView {
  std::vector<std::string> architectures;
  std::string model_type;
  std::string text_model_type;
  std::int64_t hidden_size = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;      ///< 0 without attention
  std::int64_t head_size = 0;  ///< of a cached entry: kv_lora_rank + rope for latent attention
  std::int64_t vocabulary = 0;
  std::int64_t kv_heads = 0;
  std::int64_t experts = 0;  ///< by the fields the engine looks at; 0 where a class keeps them elsewhere (DBRX)
  bool latent = false;
  bool multimodal = false;
  std::string dtype;  ///< as "torch.bfloat16"; "torch.float32" where the file is silent
};

EngineView engine_view(const Architecture& model);

}  // namespace headrace::workload
