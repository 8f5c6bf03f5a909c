// SPDX-License-Identifier: MIT
// What plans need to know of a device, asked once.
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <mutex>

#include "shims/cuda/launch.cuh"
#include "shims/cuda/plan.hpp"
#include "shims/cuda/short_queries.cuh"

namespace fa2bench::shims::cuda {

/// Pairs of short queries' blocks, each of which has an SM, that run at a time.
inline int ask_pairs() {
  const Kernel kernel = short_query_kernel<128, 4>;
  Plan plan;
  plan.cluster = 2;
  plan.blocks = 2;
  plan.warps = kMostShortWarps;
  plan.shared_bytes = kMostShortWarps * kShortWarpBytes + 64 * 128 * 4;
  const Launch launch(plan, nullptr);
  int count = 0;
  if (raise_shared_limit(kernel, plan.shared_bytes) != cudaSuccess ||
      cudaOccupancyMaxActiveClusters(&count, kernel, &launch.config) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return count;
}

inline int ask_device(int device, DeviceFacts& facts, ErrorText text) {
  const auto ask = [&](int& value, cudaDeviceAttr attribute) {
    return check(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute", text);
  };
  int has_clusters = 0;
  if (const int code = ask(facts.sm_count, cudaDevAttrMultiProcessorCount)) return code;
  if (const int code = ask(facts.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin))
    return code;
  if (const int code = ask(has_clusters, cudaDevAttrClusterLaunch)) return code;
  if (const int code = ask(facts.major, cudaDevAttrComputeCapabilityMajor)) return code;
  if (const int code = ask(facts.minor, cudaDevAttrComputeCapabilityMinor)) return code;
  facts.pairs = has_clusters != 0 ? ask_pairs() : 0;
  return FERRUM_FA2_OK;
}

/// What a device is like does not change; asking for its clusters takes a while.
class FactsCache {
 public:
  int get(int device, DeviceFacts& facts, ErrorText text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = facts_.find(device);
    if (known != facts_.end()) {
      facts = known->second;
      return FERRUM_FA2_OK;
    }
    const int code = ask_device(device, facts, text);
    if (code == FERRUM_FA2_OK) facts_[device] = facts;
    return code;
  }

 private:
  std::mutex mutex_;
  std::map<int, DeviceFacts> facts_;
};

inline FactsCache& device_facts() {
  static auto* const cache = new FactsCache;
  return *cache;
}

}  // namespace fa2bench::shims::cuda
