// SPDX-License-Identifier: MIT
// Kernels that are only there to be timed. C++17: probes.cu reaches this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace fa2bench::cuda {

// Each enqueues on `stream` and returns the launch's error.
cudaError_t enqueue_nothing(cudaStream_t stream);
/// So many blocks of 128 threads that do nothing.
cudaError_t enqueue_empty_blocks(int blocks, cudaStream_t stream);
/// One thread that looks at its SM's clock until so many cycles are over.
cudaError_t enqueue_spin(long long cycles, cudaStream_t stream);
/// See LineWalk of device/device.hpp.
cudaError_t enqueue_walk(const std::uint32_t* lines, std::uint32_t chains,
                         std::uint32_t lines_per_chain, cudaStream_t stream);

/// An SM's cycle counter at a step of %globaltimer, by one thread.
struct ClockReading {
  long long cycles;
  unsigned long long ns;
  unsigned sm;  ///< counters of two SMs have nothing to do with each other
};
cudaError_t enqueue_read_clock(ClockReading* result, cudaStream_t stream);
/// Cycles in a microsecond between two readings; 0 if they are of two SMs.
double mhz_between(const ClockReading& begin, const ClockReading& end);

/// Cycles of an SM in a microsecond of %globaltimer, over 5 ms after as long a time of work in
/// which clocks come up. That timer steps by 32 ns to 1 µs, so the rate is good to 0.03 %. Waits.
/// Throws DeviceError.
double measure_clock(cudaStream_t stream);

}  // namespace fa2bench::cuda
