// SPDX-License-Identifier: MIT
#include "device/cuda/launch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "device/cuda/check.hpp"
#include "device/cuda/event.hpp"
#include "device/cuda/probes.hpp"

namespace fa2bench::cuda {

std::optional<Microseconds> measure_launch(cudaStream_t stream, StreamGate& gate, int blocks) {
  constexpr int kLaunches = 50;
  if (!gate.available()) return std::nullopt;
  const Event start;
  const Event stop;
  // Code that is loaded lazily waits for the device, which must not be held then.
  check(enqueue_empty_blocks(blocks, stream), "empty kernel");
  check(cudaStreamSynchronize(stream), "synchronize");
  std::array<float, 5> chains_ms{};
  for (float& chain_ms : chains_ms) {
    check(gate.hold(stream), "cuStreamWaitValue32");
    check(cudaEventRecord(start.get(), stream), "cudaEventRecord");
    for (int i = 0; i < kLaunches; ++i) check(enqueue_empty_blocks(blocks, stream), "empty kernel");
    check(cudaEventRecord(stop.get(), stream), "cudaEventRecord");
    const bool held = gate.release();
    check(cudaStreamSynchronize(stream), "synchronize");
    if (!held) return std::nullopt;
    check(cudaEventElapsedTime(&chain_ms, start.get(), stop.get()), "cudaEventElapsedTime");
  }
  std::sort(chains_ms.begin(), chains_ms.end());
  const double middle_ms = chains_ms[chains_ms.size() / 2];
  return std::chrono::duration<double, std::milli>(middle_ms / kLaunches);
}

}  // namespace fa2bench::cuda
