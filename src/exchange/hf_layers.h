// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "exchange/hf_family.h"
#include "exchange/hf_fields.h"
#include "workload/architecture.h"

namespace headrace::exchange {

/// What is known while the layers of one file are read. `model` has its hidden size, context length and names already.
struct HfReading {
  HfFields& fields;
  const HfFamily& family;
  workload::Architecture& model;
  std::int64_t layers = 0;  ///< as the file counts them
};

/// The mixers of the several structures.
workload::Mixer read_attention(HfReading& reading);
workload::Mixer read_latent(HfReading& reading);
workload::Mixer read_mamba(HfReading& reading);
workload::Mixer read_mamba2(HfReading& reading);
workload::Mixer read_linear_attention(HfReading& reading);

/// The dense feed-forward; of width 0 when the file names none.
workload::FeedForward read_dense(HfReading& reading);
/// The mixture of experts; without experts when the file names none.
workload::FeedForward read_experts(HfReading& reading);
/// Which layers have experts.
std::vector<bool> read_expert_layers(HfReading& reading);

/// Tells every layer, first layer first.
std::vector<workload::LayerKind> read_layers(HfReading& reading);
/// Those of the structures that are not one mixer and one feed-forward per layer.
std::vector<workload::LayerKind> read_pattern_layers(HfReading& reading);
std::vector<workload::LayerKind> read_zamba2_layers(HfReading& reading);
std::vector<workload::LayerKind> read_rwkv_layers(HfReading& reading);
std::vector<workload::LayerKind> read_block_layers(HfReading& reading);
std::vector<workload::LayerKind> read_twin_layers(HfReading& reading);
/// A layer with the norms of the family and nothing else.
workload::LayerKind bare_layer(const HfReading& reading);

/// Facts that single families need beside the table: Falcon's norms, Gemma's per-layer inputs, encoders' heads, ...
void adjust_to_family(HfReading& reading, std::vector<workload::LayerKind>& layers);

/// Parameters of the vision tower that the file describes, with what joins it to a language model of `text_width`; 0
/// when it describes none, or one of a class that is not known.
std::int64_t read_towers(const base::Value& outer, std::int64_t text_width, HfFields& fields);

/// Parameters of the audio encoder that the file describes, with its way into the language model; 0 when it describes
/// none, or one of a class that is not known.
std::int64_t read_audio(const base::Value& outer, std::int64_t text_width, HfFields& fields);
/// Of towers that a class brings along though its files only name them (Molmo, Logics); 0 for other types.
std::int64_t named_tower_parameters(const std::string& type, const base::Value& outer, std::int64_t text_width);

}  // namespace headrace::exchange
