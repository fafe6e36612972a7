// SPDX-License-Identifier: Apache-2.0
#include "base/dtype.h"

#include <gtest/gtest.h>

#include <string>

namespace headrace::base {
namespace {

TEST(Dtype, ReadsTheNamesOfTheField) {
  EXPECT_EQ(parse_dtype("torch.bfloat16"), Dtype::kBf16);
  EXPECT_EQ(parse_dtype("BF16"), Dtype::kBf16);
  EXPECT_EQ(parse_dtype("float8_e4m3fn"), Dtype::kFp8);
  EXPECT_EQ(parse_dtype("F8_E4M3"), Dtype::kFp8);
  EXPECT_EQ(parse_dtype("FP8-E5M2"), Dtype::kFp8);
  EXPECT_EQ(parse_dtype("nvfp4"), Dtype::kFp4);
  EXPECT_EQ(parse_dtype("half"), Dtype::kFp16);
  EXPECT_EQ(parse_dtype("bf17"), std::nullopt);
  EXPECT_EQ(parse_dtype(""), std::nullopt);
  EXPECT_EQ(parse_dtype(std::string(1 << 20, 'f')), std::nullopt);
}

TEST(Dtype, NamesReadBackAndHaveBits) {
  for (int i = 0; i <= static_cast<int>(Dtype::kNf4); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    EXPECT_EQ(parse_dtype(dtype_name(dtype)), dtype);
    EXPECT_GT(bits(dtype), 0);
  }
  EXPECT_EQ(bytes_of(Dtype::kFp4), 0.5);
  EXPECT_EQ(bits(Dtype::kTf32), 32);
}

}  // namespace
}  // namespace headrace::base
