// SPDX-License-Identifier: Apache-2.0
#include "base/dtype.h"

#include <array>
#include <string>
#include <utility>

namespace headrace::base {
namespace {

using Name = std::pair<std::string_view, Dtype>;
constexpr std::array kNames = {
    Name{"fp64", Dtype::kFp64},
    Name{"float64", Dtype::kFp64},
    Name{"f64", Dtype::kFp64},
    Name{"double", Dtype::kFp64},
    Name{"fp32", Dtype::kFp32},
    Name{"float32", Dtype::kFp32},
    Name{"f32", Dtype::kFp32},
    Name{"float", Dtype::kFp32},
    Name{"single", Dtype::kFp32},
    Name{"tf32", Dtype::kTf32},
    Name{"fp16", Dtype::kFp16},
    Name{"float16", Dtype::kFp16},
    Name{"f16", Dtype::kFp16},
    Name{"half", Dtype::kFp16},
    Name{"bf16", Dtype::kBf16},
    Name{"bfloat16", Dtype::kBf16},
    Name{"fp8", Dtype::kFp8},
    Name{"float8", Dtype::kFp8},
    Name{"f8", Dtype::kFp8},
    Name{"mxfp8", Dtype::kFp8},
    Name{"e4m3", Dtype::kFp8},
    Name{"e5m2", Dtype::kFp8},
    Name{"fp8_e4m3", Dtype::kFp8},
    Name{"fp8_e5m2", Dtype::kFp8},
    Name{"fp8_e4m3fn", Dtype::kFp8},
    Name{"f8_e4m3", Dtype::kFp8},
    Name{"f8_e5m2", Dtype::kFp8},
    Name{"float8_e4m3", Dtype::kFp8},
    Name{"float8_e4m3fn", Dtype::kFp8},
    Name{"float8_e4m3fnuz", Dtype::kFp8},
    Name{"float8_e5m2", Dtype::kFp8},
    Name{"float8_e5m2fnuz", Dtype::kFp8},
    Name{"int8", Dtype::kInt8},
    Name{"i8", Dtype::kInt8},
    Name{"fp6", Dtype::kFp6},
    Name{"mxfp6", Dtype::kFp6},
    Name{"fp4", Dtype::kFp4},
    Name{"nvfp4", Dtype::kFp4},
    Name{"mxfp4", Dtype::kFp4},
    Name{"e2m1", Dtype::kFp4},
    Name{"float4_e2m1fn_x2", Dtype::kFp4},
    Name{"int4", Dtype::kInt4},
    Name{"i4", Dtype::kInt4},
    Name{"nf4", Dtype::kNf4},
};
constexpr std::size_t kLongest = 32;

}  // namespace

int bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFp64: return 64;
    case Dtype::kFp32:
    case Dtype::kTf32: return 32;
    case Dtype::kFp16:
    case Dtype::kBf16: return 16;
    case Dtype::kFp8:
    case Dtype::kInt8: return 8;
    case Dtype::kFp6: return 6;
    case Dtype::kFp4:
    case Dtype::kInt4:
    case Dtype::kNf4: return 4;
  }
  return 0;
}

const char* dtype_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFp64: return "fp64";
    case Dtype::kFp32: return "fp32";
    case Dtype::kTf32: return "tf32";
    case Dtype::kFp16: return "fp16";
    case Dtype::kBf16: return "bf16";
    case Dtype::kFp8: return "fp8";
    case Dtype::kInt8: return "int8";
    case Dtype::kFp6: return "fp6";
    case Dtype::kFp4: return "fp4";
    case Dtype::kInt4: return "int4";
    case Dtype::kNf4: return "nf4";
  }
  return "";
}

std::optional<Dtype> parse_dtype(std::string_view name) {
  if (name.size() > kLongest) return std::nullopt;
  std::string folded;
  for (const char c : name) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    folded += lower == '-' ? '_' : lower;
  }
  std::string_view bare = folded;
  if (bare.starts_with("torch.")) bare.remove_prefix(6);
  for (const auto& [known, dtype] : kNames) {
    if (known == bare) return dtype;
  }
  return std::nullopt;
}

}  // namespace headrace::base
