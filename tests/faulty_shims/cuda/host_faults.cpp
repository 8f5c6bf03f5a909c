// SPDX-License-Identifier: MIT
// The result is right; the call allocates, waits, copies, or leaves a setting behind.
#include <algorithm>

#include "abi/ferrum_fa2_shim.h"
#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

constexpr std::size_t kScratchBytes = std::size_t{1} << 20U;

int malloc_in_call(const Call& call) {
  void* scratch = nullptr;
  if (const int code = answer(call, cudaMalloc(&scratch, kScratchBytes)); code != FERRUM_FA2_OK) {
    return code;
  }
  const int code = compute(call);
  const int freed = answer(call, cudaFree(scratch));
  return code != FERRUM_FA2_OK ? code : freed;
}

int malloc_async_in_call(const Call& call) {
  void* scratch = nullptr;
  const cudaError_t got = cudaMallocAsync(&scratch, kScratchBytes, stream_of(call));
  if (const int code = answer(call, got); code != FERRUM_FA2_OK) return code;
  const int code = compute(call);
  const int freed = answer(call, cudaFreeAsync(scratch, stream_of(call)));
  return code != FERRUM_FA2_OK ? code : freed;
}

int sync_in_call(const Call& call) {
  const int code = compute(call);
  return code != FERRUM_FA2_OK ? code : answer(call, cudaStreamSynchronize(stream_of(call)));
}

/// Reads the lengths on the host first, as a planner that was not told them does.
int copy_in_call(const Call& call) {
  std::vector<std::int32_t> lens(static_cast<std::size_t>(call.num_seqs));
  cudaError_t error = cudaMemcpyAsync(lens.data(), call.seq_lens, lens.size() * sizeof lens[0],
                                      cudaMemcpyDeviceToHost, stream_of(call));
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream_of(call));
  const int code = answer(call, error);
  return code != FERRUM_FA2_OK ? code : compute(call);
}

/// Reserves cache for persisting lines and makes every later kernel of the stream use them for the
/// queries. Neither setting is taken back.
int persist_l2(const Call& call) {
  int device = 0;
  int most_window = 0;
  int most_cache = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&most_window, cudaDevAttrMaxAccessPolicyWindowSize, device);
  }
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&most_cache, cudaDevAttrMaxPersistingL2CacheSize, device);
  }
  if (error == cudaSuccess) {
    error =
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, static_cast<std::size_t>(most_cache));
  }
  if (error == cudaSuccess) {
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = const_cast<std::uint16_t*>(call.q);
    value.accessPolicyWindow.num_bytes =
        std::min(out_elements(call) * sizeof *call.q, static_cast<std::size_t>(most_window));
    value.accessPolicyWindow.hitRatio = 1.0F;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    error = cudaStreamSetAttribute(stream_of(call), cudaStreamAttributeAccessPolicyWindow, &value);
  }
  const int code = answer(call, error);
  return code != FERRUM_FA2_OK ? code : compute(call);
}

}  // namespace

std::vector<Fault> host_faults() {
  return {
      {"malloc_in_call", malloc_in_call}, {"malloc_async_in_call", malloc_async_in_call},
      {"sync_in_call", sync_in_call},     {"copy_in_call", copy_in_call},
      {"persist_l2", persist_l2},
  };
}

}  // namespace fa2bench::faulty
