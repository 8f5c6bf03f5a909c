// SPDX-License-Identifier: MIT
#include "device/cuda/probes.hpp"

#include "device/cuda/check.hpp"

namespace fa2bench::cuda {
namespace {

constexpr std::uint32_t kWordsOfALine = 32;

struct ClockReading {
  long long cycles;
  unsigned long long ns;
};

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
  return {clock64(), now};
}

__global__ void nothing() {}

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void read_clocks(unsigned long long ns, ClockReading* result) {
  const ClockReading start = at_a_step();
  ClockReading now = start;
  while (now.ns - start.ns < ns) now = at_a_step();
  *result = {now.cycles - start.cycles, now.ns - start.ns};
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

double measure_clock(cudaStream_t stream) {
  constexpr unsigned long long kNs = 5'000'000;
  ClockReading* result = nullptr;
  ClockReading reading{};
  check(cudaMalloc(&result, sizeof *result), "cudaMalloc");
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 2 && error == cudaSuccess; ++i) {
    read_clocks<<<1, 1, 0, stream>>>(kNs, result);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) {
    error = cudaMemcpyAsync(&reading, result, sizeof reading, cudaMemcpyDeviceToHost, stream);
  }
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  cudaFree(result);
  check(error, "measuring the clock of the SMs");
  return static_cast<double>(reading.cycles) / static_cast<double>(reading.ns) * 1e3;
}

}  // namespace fa2bench::cuda
