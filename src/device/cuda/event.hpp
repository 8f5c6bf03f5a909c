// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include "device/cuda/check.hpp"

namespace fa2bench::cuda {

/// Frees itself; errors while freeing cannot be acted on.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  [[nodiscard]] cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace fa2bench::cuda
