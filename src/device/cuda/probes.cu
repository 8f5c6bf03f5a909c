// SPDX-License-Identifier: MIT
#include "device/cuda/probes.hpp"

#include "device/cuda/check.hpp"

namespace fa2bench::cuda {
namespace {

constexpr std::uint32_t kWordsOfALine = 32;

__device__ unsigned long long global_ns() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

/// Where the timer steps next.
__device__ ClockReading at_a_step() {
  const unsigned long long before = global_ns();
  unsigned long long now = before;
  while (now == before) now = global_ns();
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return {clock64(), now, sm};
}

__global__ void nothing() {}

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void read_clock(ClockReading* result) { *result = at_a_step(); }

__global__ void read_clock_twice(unsigned long long ns, ClockReading* result) {
  const ClockReading start = at_a_step();
  ClockReading now = start;
  while (now.ns - start.ns < ns) now = at_a_step();
  result[0] = start;
  result[1] = now;
}

// A block a chain, one thread each. __ldcg: not from the L1.
__global__ void walk(const std::uint32_t* lines, std::uint32_t lines_per_chain,
                     std::uint32_t* never) {
  std::uint32_t at = blockIdx.x * lines_per_chain;
  for (std::uint32_t i = 0; i < lines_per_chain; ++i) {
    at = __ldcg(lines + static_cast<std::uint64_t>(at) * kWordsOfALine);
  }
  if (at == ~0U) *never = at;  // no index is, but the compiler cannot know
}

}  // namespace

cudaError_t enqueue_nothing(cudaStream_t stream) {
  nothing<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t enqueue_empty_blocks(int blocks, cudaStream_t stream) {
  constexpr int kThreads = 128;
  nothing<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t enqueue_spin(long long cycles, cudaStream_t stream) {
  spin<<<1, 1, 0, stream>>>(cycles);
  return cudaGetLastError();
}

cudaError_t enqueue_walk(const std::uint32_t* lines, std::uint32_t chains,
                         std::uint32_t lines_per_chain, cudaStream_t stream) {
  walk<<<chains, 1, 0, stream>>>(lines, lines_per_chain, nullptr);
  return cudaGetLastError();
}

cudaError_t enqueue_read_clock(ClockReading* result, cudaStream_t stream) {
  read_clock<<<1, 1, 0, stream>>>(result);
  return cudaGetLastError();
}

double mhz_between(const ClockReading& begin, const ClockReading& end) {
  if (begin.sm != end.sm || end.ns <= begin.ns) return 0.0;
  return static_cast<double>(end.cycles - begin.cycles) / static_cast<double>(end.ns - begin.ns) *
         1e3;
}

double measure_clock(cudaStream_t stream) {
  constexpr unsigned long long kNs = 5'000'000;
  ClockReading* result = nullptr;
  ClockReading readings[2] = {};
  check(cudaMalloc(&result, sizeof readings), "cudaMalloc");
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 2 && error == cudaSuccess; ++i) {
    read_clock_twice<<<1, 1, 0, stream>>>(kNs, result);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) {
    error = cudaMemcpyAsync(readings, result, sizeof readings, cudaMemcpyDeviceToHost, stream);
  }
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  cudaFree(result);
  check(error, "measuring the clock of the SMs");
  return mhz_between(readings[0], readings[1]);
}

}  // namespace fa2bench::cuda
