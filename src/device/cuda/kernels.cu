// SPDX-License-Identifier: MIT
// Every kernel is a grid-stride loop, so that a grid of a few waves serves any size.
#include "device/cuda/kernels.hpp"

#include "device/checksum.hpp"

namespace fa2bench::cuda {
namespace {

constexpr int kThreads = 256;
constexpr unsigned long long kNoIndex = ~0ULL;

unsigned grid_for(std::uint64_t pieces) {
  constexpr std::uint64_t kMost = 132ULL * 64;
  const std::uint64_t blocks = (pieces + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1 ? 1 : (blocks > kMost ? kMost : blocks));
}

__device__ std::uint64_t first_index() {
  return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::uint64_t index_step() { return static_cast<std::uint64_t>(gridDim.x) * blockDim.x; }

__device__ uint2 pack(const HalfQuad& quad) {
  return make_uint2(quad.value[0] | (static_cast<unsigned>(quad.value[1]) << 16U),
                    quad.value[2] | (static_cast<unsigned>(quad.value[3]) << 16U));
}

__global__ void fill_words(std::uint32_t* to, std::uint32_t word, std::uint64_t count) {
  for (std::uint64_t i = first_index(); i < count; i += index_step()) to[i] = word;
}

// Sixteen bytes a store where all four words are in range.
__global__ void fill_word_quads(uint4* to, std::uint32_t word, std::uint64_t count) {
  const uint4 value = make_uint4(word, word, word, word);
  for (std::uint64_t i = first_index(); i < count; i += index_step()) to[i] = value;
}

__global__ void fill_normal(std::uint16_t* to, std::uint64_t count, std::uint64_t seed,
                            Tensor tensor) {
  const std::uint64_t quads = count / 4;
  for (std::uint64_t i = first_index(); i < quads; i += index_step()) {
    reinterpret_cast<uint2*>(to)[i] = pack(half_quad(seed, tensor, i));
  }
  if (first_index() == 0 && count % 4 != 0) {
    const HalfQuad quad = half_quad(seed, tensor, quads);
    for (std::uint64_t i = 4 * quads; i < count; ++i) to[i] = quad.value[i - 4 * quads];
  }
}

// One thread block a KV block: no division finds where an element belongs.
__global__ void fill_pool(PoolFillArgs args) {
  const std::uint32_t poison = kPoisonHalf | (static_cast<std::uint32_t>(kPoisonHalf) << 16U);
  const std::uint32_t octets = args.block_elements / 8;
  for (std::uint64_t block = blockIdx.x; block < args.num_blocks; block += gridDim.x) {
    auto* to = reinterpret_cast<uint4*>(args.pool + block * args.block_elements);
    const std::uint32_t live = args.live_slots[block] * args.slot_elements / 8;
    const std::uint64_t first =
        static_cast<std::uint64_t>(args.content[block]) * args.block_elements / 4;
    for (std::uint32_t i = threadIdx.x; i < octets; i += blockDim.x) {
      uint4 value = make_uint4(poison, poison, poison, poison);
      if (i < live) {
        const uint2 low = pack(half_quad(args.seed, args.tensor, first + 2ULL * i));
        const uint2 high = pack(half_quad(args.seed, args.tensor, first + 2ULL * i + 1));
        value = make_uint4(low.x, low.y, high.x, high.y);
      }
      to[i] = value;
    }
  }
}

__global__ void reset(ScanResult* result) { *result = {0, kNoIndex, 0, kNoIndex, 0, {}}; }

__global__ void find_other_word(const std::uint32_t* from, std::uint32_t word, std::uint64_t count,
                                ScanResult* result) {
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    if (from[i] != word) {
      atomicMin(&result->first_canary, static_cast<unsigned long long>(i));
      return;  // a thread's later words have higher indices
    }
  }
}

__device__ bool has_mark(const TokenMarks& apart, std::uint64_t index) {
  return apart.marks != nullptr && apart.marks[index / apart.token_elements % apart.tokens] != 0;
}

template <typename Bits>
__global__ void scan(const Bits* from, std::uint64_t count, Bits canary, TokenMarks apart,
                     ScanResult* result) {
  unsigned long long canaries = 0;
  unsigned long long first_canary = kNoIndex;
  unsigned long long non_finite = 0;
  unsigned long long first_non_finite = kNoIndex;
  unsigned long long marked[kValueKinds] = {};
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    const Bits value = from[i];
    if (has_mark(apart, i)) {
      const int kind = static_cast<int>(value_kind(value, canary));
#pragma unroll
      for (int k = 0; k < kValueKinds; ++k) marked[k] += k == kind ? 1 : 0;  // stays in registers
    } else if (value == canary) {
      if (canaries++ == 0) first_canary = i;
    } else if (is_non_finite(value)) {
      if (non_finite++ == 0) first_non_finite = i;
    }
  }
  if (canaries != 0) {
    atomicAdd(&result->canaries, canaries);
    atomicMin(&result->first_canary, first_canary);
  }
  if (non_finite != 0) {
    atomicAdd(&result->non_finite, non_finite);
    atomicMin(&result->first_non_finite, first_non_finite);
  }
#pragma unroll
  for (int k = 0; k < kValueKinds; ++k) {
    if (marked[k] != 0) atomicAdd(&result->apart[k], marked[k]);
  }
}

__global__ void checksum(const std::uint32_t* from, std::uint64_t count, std::uint64_t before,
                         ScanResult* result) {
  unsigned long long sum = 0;
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    sum += checksum_term(from[i], before + i);
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xFFFFFFFFU, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(&result->sum, sum);
}

// Eight independent 16-byte loads a thread and round keep enough bytes in flight. Plain loads:
// after those that ask for early eviction (ld.cs) most lines that were in the L2 before are still
// there.
__global__ void __launch_bounds__(kThreads)
    read(const uint4* from, std::uint64_t count, ScanResult* result) {
  constexpr int kUnroll = 8;
  unsigned all = 0;
  const std::uint64_t tile = static_cast<std::uint64_t>(blockDim.x) * kUnroll;
  for (std::uint64_t base = blockIdx.x * tile; base < count; base += gridDim.x * tile) {
    uint4 values[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      const std::uint64_t at = base + static_cast<std::uint64_t>(i) * blockDim.x + threadIdx.x;
      values[i] = at < count ? from[at] : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) all |= values[i].x & values[i].y & values[i].z & values[i].w;
  }
  // Never true for the data it is given, but the compiler cannot know.
  if (all == 0xFFFFFFFFU) result->sum = all;
}

}  // namespace

cudaError_t enqueue_read(const void* from, std::uint64_t count, ScanResult* result,
                         cudaStream_t stream) {
  read<<<grid_for(count / 8), kThreads, 0, stream>>>(static_cast<const uint4*>(from), count,
                                                     result);
  return cudaGetLastError();
}

cudaError_t enqueue_fill_words(std::uint32_t* to, std::uint32_t word, std::uint64_t count,
                               cudaStream_t stream) {
  const std::uint64_t quads = reinterpret_cast<std::uintptr_t>(to) % 16 == 0 ? count / 4 : 0;
  if (quads > 0) {
    fill_word_quads<<<grid_for(quads), kThreads, 0, stream>>>(reinterpret_cast<uint4*>(to), word,
                                                              quads);
  }
  const std::uint64_t rest = count - 4 * quads;
  if (rest > 0) fill_words<<<grid_for(rest), kThreads, 0, stream>>>(to + 4 * quads, word, rest);
  return cudaGetLastError();
}

cudaError_t enqueue_fill_normal(std::uint16_t* to, std::uint64_t count, std::uint64_t seed,
                                Tensor tensor, cudaStream_t stream) {
  fill_normal<<<grid_for((count + 3) / 4), kThreads, 0, stream>>>(to, count, seed, tensor);
  return cudaGetLastError();
}

cudaError_t enqueue_fill_pool(const PoolFillArgs& args, cudaStream_t stream) {
  constexpr std::uint64_t kMostBlocks = 1U << 20U;
  const std::uint64_t blocks = args.num_blocks < kMostBlocks ? args.num_blocks : kMostBlocks;
  if (blocks > 0) fill_pool<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(args);
  return cudaGetLastError();
}

cudaError_t enqueue_find_other_word(const std::uint32_t* from, std::uint32_t word,
                                    std::uint64_t count, ScanResult* result, cudaStream_t stream) {
  reset<<<1, 1, 0, stream>>>(result);
  find_other_word<<<grid_for(count), kThreads, 0, stream>>>(from, word, count, result);
  return cudaGetLastError();
}

cudaError_t enqueue_scan_f16(const std::uint16_t* from, std::uint64_t count, std::uint16_t canary,
                             const TokenMarks& apart, ScanResult* result, cudaStream_t stream) {
  reset<<<1, 1, 0, stream>>>(result);
  scan<std::uint16_t><<<grid_for(count), kThreads, 0, stream>>>(from, count, canary, apart, result);
  return cudaGetLastError();
}

cudaError_t enqueue_scan_f32(const std::uint32_t* from, std::uint64_t count, std::uint32_t canary,
                             const TokenMarks& apart, ScanResult* result, cudaStream_t stream) {
  reset<<<1, 1, 0, stream>>>(result);
  scan<std::uint32_t><<<grid_for(count), kThreads, 0, stream>>>(from, count, canary, apart, result);
  return cudaGetLastError();
}

cudaError_t enqueue_checksum(const std::uint32_t* from, std::uint64_t count, std::uint64_t before,
                             ScanResult* result, cudaStream_t stream) {
  if (before == 0) reset<<<1, 1, 0, stream>>>(result);
  checksum<<<grid_for(count), kThreads, 0, stream>>>(from, count, before, result);
  return cudaGetLastError();
}

}  // namespace fa2bench::cuda
