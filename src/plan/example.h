// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "training/job.h"

namespace headrace::plan {

/// Round figures of an eight-accelerator server with switched links and one network port each, for tests and benchmarks
/// of the search.
inline training::Machine example_machine(int accelerators, double memory = 80e9) {
  training::Machine machine;
  machine.accelerators = accelerators;
  auto& device = machine.device;
  std::fill(device.peak.begin(), device.peak.end(), 300e12);
  std::fill(device.gemm_rate.begin(), device.gemm_rate.end(), 250e12);
  device.attention_forward_rate = 180e12;
  device.attention_backward_rate = 130e12;
  device.scan_rate = 20e12;
  device.memory_bandwidth = 2e12;
  device.memory_rate = 1.7e12;
  device.memory = memory;
  device.multiprocessors = 108;
  device.launch = 2e-6;
  device.host_launch = 6e-6;
  device.tile_overhead = 200;
  device.attention_ramp = 500;
  device.attention_head_ramp = 40;
  auto& fabric = machine.fabric;
  fabric.domain = 8;
  fabric.scaleup_bandwidth = 300e9;
  fabric.network_bandwidth = 25e9;
  fabric.scaleup_efficiency = 0.8;
  fabric.network_efficiency = 0.8;
  fabric.all_to_all_efficiency = 0.7;
  fabric.scaleup_latency = 1e-6;
  fabric.network_latency = 4e-6;
  fabric.launch = 8e-6;
  fabric.half_size = 1e6;
  auto& software = machine.software;
  software.attention = catalog::AttentionKernel::kFlash2;
  software.fused_norms = software.fused_activation = software.fused_rotary = software.fused_dropout_residual = true;
  software.fused_optimizer = true;
  software.overlaps_gradient_reduce = software.overlaps_parameter_gather = software.overlaps_tensor_parallel = true;
  machine.constants = {.straggler = 0.005,
                       .overlap_slowdown = 0.1,
                       .host_step = 0.02,
                       .host_pass = 1e-4,
                       .tensor_exposed = 0.3,
                       .offload_bandwidth = 10e9,
                       .optimizer_efficiency = 0.7};
  return machine;
}

/// A decoder with plain attention and a two-matrix MLP, as GPT-3.
inline training::Job example_job(int layers, std::int64_t hidden, std::int64_t heads, std::int64_t sequence,
                                 std::int64_t vocabulary = 51200) {
  training::Job job;
  auto& model = job.model;
  model.hidden = hidden;
  model.vocabulary = vocabulary;
  model.positions = sequence;
  model.tied_embeddings = true;
  workload::LayerKind kind;
  kind.mixer.heads = kind.mixer.kv_heads = heads;
  kind.mixer.head_dim = kind.mixer.value_dim = hidden / heads;
  kind.mixer.qkv_bias = kind.mixer.output_bias = true;
  kind.feed_forward.hidden = 4 * hidden;
  kind.feed_forward.gated = false;
  kind.feed_forward.bias = true;
  kind.norm = workload::NormKind::kLayer;
  model.kinds = {kind};
  model.layers.assign(std::size_t(layers), 0);
  job.sequence = sequence;
  return job;
}

/// GPT-3 175B (Brown et al. 2020, table 2.1).
inline training::Job example_gpt3() { return example_job(96, 12288, 96, 2048); }

}  // namespace headrace::plan
