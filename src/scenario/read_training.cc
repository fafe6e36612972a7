// SPDX-License-Identifier: Apache-2.0
#include "base/document_text.h"
#include "scenario/parts.h"

namespace headrace::scenario {
namespace {

using base::Dtype;

/// Mixed precision as training frameworks run it; fp32 and tf32 keep one copy of everything.
Numerics numerics_of(Dtype precision) {
  Numerics numerics;
  numerics.compute = precision;
  const bool full = precision == Dtype::kFp32 || precision == Dtype::kTf32 || precision == Dtype::kFp64;
  numerics.weights = full                        ? (precision == Dtype::kFp64 ? Dtype::kFp64 : Dtype::kFp32)
                     : precision == Dtype::kFp16 ? Dtype::kFp16
                                                 : Dtype::kBf16;
  numerics.gradients = full ? numerics.weights : Dtype::kFp32;
  numerics.master_weights = !full;
  return numerics;
}

base::Result<Dtype> read_dtype(const base::Value& value) {
  TRY(const std::string name, value.text());
  if (const auto dtype = base::parse_dtype(name)) return *dtype;
  return base::input_error(value.place(), "scenario.unknown_dtype", {name},
                           base::nearest_hint(name, {"fp32", "tf32", "bf16", "fp16", "fp8"}));
}

base::Result<Dtype> read_precision(const base::Value& value) {
  TRY(const Dtype dtype, read_dtype(value));
  if (base::bits(dtype) < 8 || dtype == Dtype::kInt8)
    return base::input_error(value.place(), "scenario.precision_not_trained", {base::dtype_name(dtype)});
  return dtype;
}

base::Result<void> read_dtype_into(base::Fields& fields, const std::string& key, Dtype& out) {
  if (const base::Value* value = fields.optional(key)) {
    TRY(out, read_dtype(*value));
  }
  return {};
}

base::Result<void> read_numerics(const base::Value& value, Training& training) {
  base::Fields fields(value);
  const auto given = [&](const char* key) { return fields.optional(key) != nullptr; };
  training.given = {given("weights"), given("gradients"), given("moments"), given("master_weights")};
  CHECK_OK(read_dtype_into(fields, "weights", training.numerics.weights));
  CHECK_OK(read_dtype_into(fields, "gradients", training.numerics.gradients));
  CHECK_OK(read_dtype_into(fields, "moments", training.numerics.moments));
  TRY(training.numerics.master_weights, fields.boolean_or("master_weights", training.numerics.master_weights));
  TRY(training.numerics.optimizer_in_backward, fields.boolean_or("optimizer_in_backward", false));
  if (const base::Value* optimizer = fields.optional("optimizer")) {
    TRY(training.numerics.optimizer, read_word(*optimizer, optimizer_names()));
  }
  return fields.finish();
}

base::Result<Adaptation> read_adaptation(const base::Value& value) {
  Adaptation adaptation;
  if (value.is_scalar()) {
    TRY(adaptation.kind, read_word(value, fine_tuning_names()));
  } else {
    base::Fields fields(value);
    TRY(const base::Value* kind, fields.required("kind"));
    TRY(adaptation.kind, read_word(*kind, fine_tuning_names()));
    TRY(adaptation.rank, fields.number_or("rank", adaptation.rank, {1, 65536}));
    TRY(adaptation.all_linear, fields.boolean_or("all_linear", false));
    TRY(adaptation.trains_embeddings, fields.boolean_or("trains_embeddings", false));
    CHECK_OK(fields.finish());
  }
  if (adaptation.kind == FineTuning::kQlora) adaptation.frozen_bits = kNf4Bits;
  return adaptation;
}

constexpr double kMostSequences = 1e9;

/// "1024", "1024 sequences", "4M tokens", "up to 1536 sequences".
base::Result<void> read_batch(const base::Value& value, Training& training) {
  TRY(std::string text, value.text());
  const bool up_to = text.starts_with("up to ");
  if (up_to) text = text.substr(6);
  const bool in_tokens = text.ends_with("tokens");
  TRY(double sequences,
      base::parse_quantity(text, in_tokens ? base::Measure::kTokens : base::Measure::kSequences, value.place()));
  if (in_tokens) sequences /= double(training.sequence);
  const auto whole = std::int64_t(std::min(sequences, kMostSequences) + 0.5);
  if (whole < 1 || sequences > kMostSequences) return base::input_error(value.place(), "scenario.batch_range", {text});
  if (up_to) {
    training.global_batch_limit = whole;
  } else {
    training.global_batch = whole;
  }
  return {};
}

/// "8192", or "128k" as contexts are called: k is 1,024 tokens.
base::Result<std::int64_t> read_sequence(base::Fields& fields) {
  constexpr std::int64_t kThousand = 1024, kMost = std::int64_t{1} << 30;
  TRY(const base::Value* value, fields.required("sequence"));
  if (const auto text = value->text(); text && (text->ends_with('k') || text->ends_with('K'))) {
    const auto count = base::read_number(std::string_view(*text).substr(0, text->size() - 1));
    if (count && *count >= 1 && *count <= double(kMost / kThousand) && *count == double(std::int64_t(*count)))
      return std::int64_t(*count) * kThousand;
  }
  return fields.integer("sequence", {1, kMost});
}

}  // namespace

base::Result<Training> read_training(const base::Value& value) {
  base::Fields fields(value);
  Training training;
  TRY(const std::string kind, fields.text("kind"));
  const base::Value* model = fields.optional("model");
  if (!model) return base::input_error(value.place().line > 0 ? value.place() : base::Place{}, "scenario.no_model");
  TRY(training.model, model->text());
  training.model_place = model->place();
  TRY(training.sequence, read_sequence(fields));
  TRY(const base::Value* batch, fields.required("global_batch"));
  CHECK_OK(read_batch(*batch, training));
  CHECK_OK(read_quantity(fields, "tokens", base::Measure::kTokens, training.tokens));
  TRY(const base::Value* precision, fields.required("precision"));
  TRY(training.precision, read_precision(*precision));
  training.numerics = numerics_of(training.precision);
  if (const base::Value* numerics = fields.optional("numerics")) {
    CHECK_OK(read_numerics(*numerics, training));
  }
  if (const base::Value* tuning = fields.optional("fine_tuning")) {
    TRY(training.adaptation, read_adaptation(*tuning));
  }
  CHECK_OK(fields.finish());
  return training;
}

}  // namespace headrace::scenario
