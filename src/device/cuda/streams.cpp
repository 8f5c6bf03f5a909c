// SPDX-License-Identifier: MIT
#include "device/cuda/streams.hpp"

#include <cstdlib>

namespace fa2bench::cuda {

void StreamSet::ask_for_queues() {
  constexpr const char* kVariable = "CUDA_DEVICE_MAX_CONNECTIONS";
  constexpr int kKeep = 0;
  ::setenv(kVariable, "32", kKeep);  // NOLINT(concurrency-mt-unsafe): before any thread is started
}

}  // namespace fa2bench::cuda
