// SPDX-License-Identifier: MIT
// The CUDA side of Device's fills and checks, as enqueue functions. C++17: kernels.cu reaches this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "device/value_kind.hpp"
#include "workload/data.hpp"

namespace fa2bench::cuda {

/// See PoolFill of device/device.hpp.
struct PoolFillArgs {
  std::uint16_t* pool;
  std::uint64_t num_blocks;
  std::uint32_t slot_elements;
  std::uint32_t block_elements;
  const std::uint32_t* content;
  const std::uint16_t* live_slots;
  std::uint64_t seed;
  Tensor tensor;
};

/// Device-side results of the scans. Reset by the enqueue functions themselves.
struct ScanResult {
  unsigned long long canaries;
  unsigned long long first_canary;
  unsigned long long non_finite;
  unsigned long long first_non_finite;
  unsigned long long sum;
  unsigned long long apart[kValueKinds];
};

// Each enqueues on `stream` and returns the launch's error.
cudaError_t enqueue_fill_words(std::uint32_t* to, std::uint32_t word, std::uint64_t count,
                               cudaStream_t stream);
cudaError_t enqueue_fill_normal(std::uint16_t* to, std::uint64_t count, std::uint64_t seed,
                                Tensor tensor, cudaStream_t stream);
cudaError_t enqueue_fill_pool(const PoolFillArgs& args, cudaStream_t stream);
/// first_canary: word index of the first word that differs.
cudaError_t enqueue_find_other_word(const std::uint32_t* from, std::uint32_t word,
                                    std::uint64_t count, ScanResult* result, cudaStream_t stream);
cudaError_t enqueue_scan_f16(const std::uint16_t* from, std::uint64_t count, std::uint16_t canary,
                             const TokenMarks& apart, ScanResult* result, cudaStream_t stream);
cudaError_t enqueue_scan_f32(const std::uint32_t* from, std::uint64_t count, std::uint32_t canary,
                             const TokenMarks& apart, ScanResult* result, cudaStream_t stream);
/// Adds to `sum`, see checksum_term; `before` words came before these, and if there were none, the
/// result is reset.
cudaError_t enqueue_checksum(const std::uint32_t* from, std::uint64_t count, std::uint64_t before,
                             ScanResult* result, cudaStream_t stream);
/// Reads `count` times 16 bytes and keeps nothing: for the read ceiling, and to sweep the L2.
cudaError_t enqueue_read(const void* from, std::uint64_t count, ScanResult* result,
                         cudaStream_t stream);

}  // namespace fa2bench::cuda
