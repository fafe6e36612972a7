// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "workload/architecture.h"

namespace headrace::exchange {

/// Reads a Hugging Face `config.json` of a decoder language model. Missing fields take the class default of its
/// `model_type`; an unknown type is read when all needed fields are there, and is an error that lists the missing ones
/// when not.
base::Result<workload::Architecture> read_hf_config(std::string_view json, const std::string& file);

/// The same of a file on disk, with the `hf_quant_config.json` beside it where there is one, in which some checkpoints
/// keep their quantisation.
base::Result<workload::Architecture> read_hf_checkpoint(const std::string& path, const base::FileSystem& files);

}  // namespace headrace::exchange
