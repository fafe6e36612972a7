// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "catalog/entry.h"

namespace headrace::catalog {

/// Which attention kernel a framework runs: the generation decides its reach on an accelerator and what it keeps for
/// the backward pass.
enum class AttentionKernel {
  kUnfused,  ///< scores and probabilities go through memory
  kFlash1,
  kFlash2,
  kFlash3,  ///< also cuDNN fused attention on Hopper and later
};

/// As entries write it: unfused, flash1, flash2, flash3.
const char* attention_name(AttentionKernel kernel);

/// How far a way of data parallelism combines with a pipeline.
enum class WithPipeline {
  kUnsupported,  ///< the framework does not have it at all
  kAlone,        ///< only without a pipeline
  kSimple,       ///< with one model chunk per rank
  kInterleaved,  ///< also with several
};

/// As entries write it: unsupported, alone, simple, interleaved.
const char* with_pipeline_name(WithPipeline reach);

/// What a framework can run at all. An entry that says nothing of it is taken to run everything.
struct Abilities {
  WithPipeline ddp = WithPipeline::kInterleaved;
  WithPipeline zero1 = WithPipeline::kInterleaved;
  WithPipeline zero2 = WithPipeline::kInterleaved;
  WithPipeline zero3 = WithPipeline::kInterleaved;         ///< FSDP
  WithPipeline shard_groups = WithPipeline::kInterleaved;  ///< FSDP within groups of ranks (HSDP)
  bool tensor = true;
  bool context = true;              ///< by a ring or gathers of keys and values
  bool context_all_to_all = false;  ///< by all-to-alls over heads, where it says so
  bool expert = true;
  bool offload = true;  ///< optimizer states in host memory
  bool zero_bubble_h1 = false, zero_bubble_h2 = false, zbv = false, dualpipe = false;  ///< where it says so
};

/// A framework release as facts: what it fuses, overlaps and stores. Its times and efficiencies are calibration, never
/// here.
struct Software : Entry {
  std::string kind;       ///< training, serving
  std::string framework;  ///< e.g. "megatron-core"
  std::string version;    ///< e.g. "0.14"; empty for the generic entry
  int year = 0;           ///< of the release; picks an entry when only the year is known
  AttentionKernel attention = AttentionKernel::kFlash2;
  bool fused_norms = false;
  bool fused_activation = false;  ///< bias + activation (gelu, swiglu) in one kernel
  bool fused_rotary = false;
  bool fused_dropout_residual = false;
  bool fused_optimizer = false;
  bool fused_cross_entropy = false;  ///< no fp32 copy of the logits
  bool compiled = false;             ///< torch.compile or XLA fuses element-wise chains
  bool cuda_graphs = false;
  bool overlaps_gradient_reduce = false;
  bool overlaps_parameter_gather = false;
  bool overlaps_tensor_parallel = false;
  bool gradients_in_fp32 = false;  ///< main gradients kept and reduced in fp32
  bool sequence_parallel = false;  ///< used whenever tensor parallel is
  Abilities abilities;
  std::map<std::string, std::string> facts;  ///< other stated facts, by name
};

}  // namespace headrace::catalog
