// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "base/dtype.h"
#include "base/units.h"
#include "catalog/entry.h"

namespace headrace::catalog {

/// One GPU, TPU core pair, NPU or CPU, as its data sheet states it. An empty optional was found in no source.
struct Accelerator : Entry {
  std::string vendor;
  std::string architecture;  ///< e.g. "Hopper"
  std::string family;  ///< key of the calibration: volta, turing, ampere, ada, hopper, blackwell, cdna2, cdna3, tpu,
                       ///< gaudi, trainium, ascend, cpu, other
  std::optional<int> year;
  std::string form_factor;
  std::optional<double> process_nm;
  std::optional<int> multiprocessors;  ///< SMs, CUs, cores
  std::optional<int> tensor_units_per_multiprocessor;
  std::optional<int> tensor_fma_per_clock;  ///< multiply-adds that one matrix unit does per clock at 16 bits, dense
  std::optional<int> fp32_lanes_per_multiprocessor;
  std::optional<base::Hertz> boost_clock;
  std::optional<base::Hertz> base_clock;
  std::map<base::Dtype, base::FlopsPerSecond> peak;  ///< dense matrix-unit peaks
  std::optional<base::FlopsPerSecond> vector_fp32;   ///< without matrix units
  std::optional<base::FlopsPerSecond> vector_fp64;
  std::optional<double> sparsity_factor;
  std::string memory_type;
  std::optional<base::Bytes> memory;  ///< as the memory chips have it: vendors print 80 GB for 80 GiB
  std::optional<base::BytesPerSecond> memory_bandwidth;
  std::optional<base::Bytes> l2;
  std::optional<base::Bytes> shared_memory_per_multiprocessor;
  std::optional<base::Bytes> registers_per_multiprocessor;
  std::string scaleup_link;                               ///< network id, e.g. nvlink4; empty when there is none
  std::optional<base::BytesPerSecond> scaleup_bandwidth;  ///< one way, per accelerator
  std::optional<int> scaleup_links;
  std::string pcie;  ///< e.g. "5"
  std::optional<base::Watts> power_limit;
  std::optional<base::Watts> idle_power;
  std::optional<int> video_encoders;
  std::optional<int> video_decoders;
  std::optional<int> jpeg_decoders;
  std::optional<int> mig_slices;
  std::optional<base::Dollars> launch_price;
};

}  // namespace headrace::catalog
