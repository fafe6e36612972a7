// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_writer.h"
#include "base/value.h"
#include "report/language.h"
#include "scenario/outcome.h"

/// The parts that several JSON outcomes share.
namespace headrace::report {

/// {"value", "low", "high", "unit", "basis", "bound"}.
void write_estimate(base::JsonWriter& json, const base::Estimate& estimate);
/// A member that is null when unknown.
void write_estimate(base::JsonWriter& json, const char* key, const std::optional<base::Estimate>& estimate);
void write_strategy(base::JsonWriter& json, const scenario::Strategy& strategy);
/// A document as it was read: quoted scalars as text, others as the number or truth value that they spell.
void write_value(base::JsonWriter& json, const base::Value& value);
/// The members of a training outcome, into an object that is already open.
void write_training(base::JsonWriter& json, const scenario::TrainingOutcome& outcome);
void write_waterfall(base::JsonWriter& json, const scenario::Waterfall& waterfall);
void write_warnings(base::JsonWriter& json, const std::vector<base::Message>& warnings, const Language& language);
void write_provenance(base::JsonWriter& json, const std::vector<scenario::Provenance>& provenance);
/// The end of an id: "part.bubble" → "bubble".
std::string_view last_word(std::string_view id);

}  // namespace headrace::report
