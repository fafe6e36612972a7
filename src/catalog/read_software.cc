// SPDX-License-Identifier: Apache-2.0
#include "catalog/read_entries.h"

namespace headrace::catalog {
namespace {

constexpr std::array<Word<AttentionKernel>, 4> kKernels{{{"unfused", AttentionKernel::kUnfused},
                                                         {"flash1", AttentionKernel::kFlash1},
                                                         {"flash2", AttentionKernel::kFlash2},
                                                         {"flash3", AttentionKernel::kFlash3}}};

constexpr std::string_view kKinds[] = {"training", "serving"};

constexpr std::array<Word<bool Software::*>, 6> kFused{{{"norms", &Software::fused_norms},
                                                        {"activation", &Software::fused_activation},
                                                        {"rotary", &Software::fused_rotary},
                                                        {"dropout_residual", &Software::fused_dropout_residual},
                                                        {"optimizer", &Software::fused_optimizer},
                                                        {"cross_entropy", &Software::fused_cross_entropy}}};

constexpr std::array<Word<bool Software::*>, 3> kOverlaps{{{"gradient_reduce", &Software::overlaps_gradient_reduce},
                                                           {"parameter_gather", &Software::overlaps_parameter_gather},
                                                           {"tensor_parallel", &Software::overlaps_tensor_parallel}}};

constexpr std::array<Word<WithPipeline>, 4> kReaches{{{"unsupported", WithPipeline::kUnsupported},
                                                      {"alone", WithPipeline::kAlone},
                                                      {"simple", WithPipeline::kSimple},
                                                      {"interleaved", WithPipeline::kInterleaved}}};

constexpr std::array<Word<WithPipeline Abilities::*>, 5> kShards{{{"ddp", &Abilities::ddp},
                                                                  {"zero1", &Abilities::zero1},
                                                                  {"zero2", &Abilities::zero2},
                                                                  {"zero3", &Abilities::zero3},
                                                                  {"shard_groups", &Abilities::shard_groups}}};

constexpr std::array<Word<bool Abilities::*>, 9> kSupports{{{"tensor", &Abilities::tensor},
                                                            {"context", &Abilities::context},
                                                            {"context_all_to_all", &Abilities::context_all_to_all},
                                                            {"expert", &Abilities::expert},
                                                            {"offload", &Abilities::offload},
                                                            {"zero_bubble_h1", &Abilities::zero_bubble_h1},
                                                            {"zero_bubble_h2", &Abilities::zero_bubble_h2},
                                                            {"zbv", &Abilities::zbv},
                                                            {"dualpipe", &Abilities::dualpipe}}};

// A list of words, each of which sets one flag.
template <typename T, std::size_t N>
void read_flags(EntryReader& reader, const std::string& key, const std::array<Word<bool T::*>, N>& words, T& out) {
  for (const std::string& name : reader.texts(key)) {
    bool T::* flag = word<bool T::*>(reader, key, name, words, nullptr);
    if (flag != nullptr) out.*flag = true;
  }
}

// What is stated at all is stated whole: kinds and degrees that are not listed are not supported.
Abilities read_abilities(EntryReader& reader) {
  Abilities out;
  if (auto shards = reader.part("shards")) {
    for (const auto& kind : kShards) {
      const std::string reach = shards->optional_text(std::string(kind.name));
      out.*kind.value =
          reach.empty() ? WithPipeline::kUnsupported : word(*shards, std::string(kind.name), reach, kReaches, {});
    }
    shards->finish();
  }
  if (reader.member("supports") != nullptr) {
    out.tensor = out.context = out.expert = out.offload = false;
    read_flags(reader, "supports", kSupports, out);
  }
  return out;
}

}  // namespace

const char* attention_name(AttentionKernel kernel) {
  for (const Word<AttentionKernel>& word : kKernels) {
    if (word.value == kernel) return word.name.data();
  }
  return "unfused";
}

const char* with_pipeline_name(WithPipeline reach) {
  for (const Word<WithPipeline>& word : kReaches) {
    if (word.value == reach) return word.name.data();
  }
  return "unsupported";
}

Software read_software(EntryReader& reader, const std::string& id, const Catalog& catalog) {
  Software out;
  reader.entry(out, id, catalog.sources);
  out.kind = reader.text("kind");
  if (!out.kind.empty()) check_word(reader, "kind", out.kind, kKinds);
  out.framework = reader.text("framework");
  out.version = reader.optional_text("version");
  if (reader.member("year") == nullptr) reader.problem("year", "base.missing_key", {"year"});
  out.year = reader.count("year", {2012, 2100}).value_or(0);
  const std::string attention = reader.text("attention");
  if (!attention.empty()) out.attention = word(reader, "attention", attention, kKernels, out.attention);
  read_flags(reader, "fuses", kFused, out);
  read_flags(reader, "overlaps", kOverlaps, out);
  out.compiled = reader.flag("compiled");
  out.cuda_graphs = reader.flag("cuda_graphs");
  out.gradients_in_fp32 = reader.flag("gradients_in_fp32");
  out.sequence_parallel = reader.flag("sequence_parallel");
  out.abilities = read_abilities(reader);
  if (auto facts = reader.part("facts")) {
    for (const base::Value::Member& member : reader.member("facts")->members())
      out.facts[member.key] = facts->text(member.key);
  }
  return out;
}

}  // namespace headrace::catalog
