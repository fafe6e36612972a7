// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace headrace::base {

/// Number formats of weights, activations and matrix units.
enum class Dtype { kFp64, kFp32, kTf32, kFp16, kBf16, kFp8, kInt8, kFp6, kFp4, kInt4, kNf4 };

/// Storage bits of one element; 32 for tf32. Block scales are counted by whoever knows the block.
int bits(Dtype dtype);
inline double bytes_of(Dtype dtype) { return bits(dtype) / 8.0; }
const char* dtype_name(Dtype dtype);
/// By the names the field writes: bf16, bfloat16, torch.bfloat16, float8_e4m3fn, int8, nvfp4, ...
std::optional<Dtype> parse_dtype(std::string_view name);

}  // namespace headrace::base
