// SPDX-License-Identifier: MIT
// The CUDA shim: device memory, and a right call to be wrong from.
#include <string>

#include "abi/ferrum_fa2_shim.h"
#include "cuda/attention.hpp"

namespace fa2bench::faulty {

const char* const kMemory = "device";
const char* const kHeadDims = "[64, 128]";
const char* const kBlockSizes = "[16, 32, 64, 128, 256]";

int answer(const Call& call, cudaError_t error) {
  if (error == cudaSuccess) return FERRUM_FA2_OK;
  static_cast<void>(cudaGetLastError());
  const std::string text = std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
  return refuse(call, FERRUM_FA2_LAUNCH_FAILED, text.c_str());
}

int attend(const Call& call, const KernelPolicy& policy) {
  return answer(call, queue_attention(call, policy, stream_of(call)));
}

int compute(const Call& call) { return attend(call, {}); }

std::vector<Fault> device_faults() {
  std::vector<Fault> all;
  for (const auto story :
       {kernel_faults, stream_faults, capture_faults, host_faults, error_faults}) {
    for (Fault& fault : story()) all.push_back(std::move(fault));
  }
  return all;
}

}  // namespace fa2bench::faulty
