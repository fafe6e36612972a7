// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "training/memory.h"
#include "workload/parameters.h"

namespace headrace::training {
namespace {

using workload::LayerKind;
using Matrix = std::pair<double, double>;  ///< inputs, outputs on this rank

/// The distinct matrix shapes of one layer on one rank, as fused projections hold them.
void add_matrices(std::set<Matrix>& shapes, const workload::Architecture& model, const LayerKind& kind,
                  const Shape& shape) {
  const workload::Mixer& mixer = kind.mixer;
  const workload::FeedForward& mlp = kind.feed_forward;
  const double hidden = double(model.hidden);
  const double tensor = shape.tensor;
  const double query = double(mixer.heads * mixer.head_dim) / tensor;
  const double output = double(mixer.heads * mixer.value_dim) / tensor;
  if (mixer.kind == workload::MixerKind::kAttention) {
    shapes.emplace(hidden, query + double(mixer.kv_heads * (mixer.head_dim + mixer.value_dim)) / tensor);
    shapes.emplace(output, hidden);
  } else if (mixer.kind == workload::MixerKind::kLatent) {
    const double latent = double(mixer.kv_lora_rank);
    const double nope = double(mixer.heads * (mixer.head_dim - mixer.rope_dim)) / tensor;
    if (mixer.q_lora_rank > 0) shapes.emplace(hidden, double(mixer.q_lora_rank));
    shapes.emplace(mixer.q_lora_rank > 0 ? double(mixer.q_lora_rank) : hidden, query);
    shapes.emplace(hidden, latent + double(mixer.rope_dim));
    shapes.emplace(latent, nope + output);
    shapes.emplace(output, hidden);
  }
  const auto add_mlp = [&](double width) {
    if (width <= 0) return;
    shapes.emplace(hidden, width * (mlp.gated ? 2 : 1));
    shapes.emplace(width, hidden);
  };
  add_mlp(double(mlp.hidden) / tensor);
  add_mlp(double(mlp.shared_hidden) / tensor);
  add_mlp(double(mlp.expert_hidden) / shape.expert_tensor);
}

double parameters_of(const std::set<Matrix>& shapes) {
  double sum = 0;
  for (const auto& [inputs, outputs] : shapes) sum += inputs * outputs;
  return sum;
}

double largest(const std::set<Matrix>& shapes) {
  double most = 0;
  for (const auto& [inputs, outputs] : shapes) most = std::max(most, inputs * outputs);
  return most;
}

LayerMemory::Kind kind_memory(const Job& job, const LayerKind& kind, const Shape& shape, const MemoryHabits& habits) {
  const workload::Batch batch{shape.micro_batch, job.sequence};
  const auto kept = workload::layer_activations(job.model, kind, batch, sharding_of(shape), habits.retention);
  const auto parameters = workload::layer_parameters(job.model, kind);
  std::set<Matrix> shapes;
  add_matrices(shapes, job.model, kind, shape);
  LayerMemory::Kind memory;
  memory.saved_none = kept.none;
  memory.saved_selective = kept.selective;
  memory.saved_full = kept.full;
  memory.working = kept.working;
  memory.exchange = kept.exchange;
  memory.dense_parameters = parameters.tensor_sharded / shape.tensor + parameters.replicated;
  memory.expert_parameters = parameters.experts / (double(shape.expert) * shape.expert_tensor);
  memory.adapter_parameters =
      workload::adapter_parameters(job.model, kind, habits.retention.trained, job.adaptation.rank) / shape.tensor;
  memory.largest_matrix = largest(shapes);
  return memory;
}

/// The final norm keeps its input, the head the norm's output; the loss its logits.
void add_ends(LayerMemory& memory, const Job& job, const Shape& shape) {
  const workload::Retention& how = memory.habits.retention;
  const double tokens = workload::rank_tokens({shape.micro_batch, job.sequence}, sharding_of(shape));
  const double residual = shape.sequence_parallel ? shape.tensor : 1;
  const double norm = how.norms_in_fp32 && job.model.final_norm == workload::NormKind::kRms ? 4 : how.element;
  const auto parameters = workload::parameters(job.model);
  memory.tied = job.model.tied_embeddings && !memory.habits.unties_embeddings;
  memory.embedding_saved = 8 * tokens;  // token indices
  memory.embedding_parameters = parameters.embedding / shape.tensor;
  memory.head_parameters = (job.model.tied_embeddings ? parameters.embedding : parameters.head) / shape.tensor;
  memory.head_saved = tokens * double(job.model.hidden) * (norm + how.element) / residual;
  memory.head_working = tokens * double(job.model.vocabulary) / shape.tensor *
                        (shape.tensor > 1 ? memory.habits.tensor_logit_bytes : memory.habits.logit_bytes);
}

}  // namespace

LayerMemory layer_memory(const Job& job, const Machine& machine, const Shape& shape) {
  LayerMemory memory;
  memory.habits = memory_habits(machine.software, job.numerics, job.adaptation);
  memory.constants = memory_constants(machine.calibration);
  std::set<Matrix> shapes;
  for (const LayerKind& kind : job.model.kinds) {
    memory.kinds.push_back(kind_memory(job, kind, shape, memory.habits));
    add_matrices(shapes, job.model, kind, shape);
  }
  add_ends(memory, job, shape);
  if (memory.habits.dummy_gradients && job.adaptation.kind == scenario::FineTuning::kFull) {
    memory.layer_stand_ins = 2 * parameters_of(shapes);
    memory.head_stand_in = 2 * double(job.model.hidden) * double(job.model.vocabulary) / shape.tensor;
  }
  return memory;
}

}  // namespace headrace::training
