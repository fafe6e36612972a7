// SPDX-License-Identifier: Apache-2.0
#include "exchange/hf_layers.h"

namespace headrace::exchange {

std::int64_t read_towers(const base::Value&, const base::Value&, HfFields&) { return 0; }

}  // namespace headrace::exchange
