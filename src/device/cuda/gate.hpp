// SPDX-License-Identifier: MIT
// Holds a stream until everything that a measurement needs is queued behind the hold, so that no
// delay of the host gets between two events.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace fa2bench::cuda {

/// The stream waits for a word of pinned host memory (cuStreamWaitValue32). Code that waits for the
/// device while the stream is held would wait for ever: a watchdog opens the gate after kPatience
/// and says so. For one thread at a time.
class StreamGate {
 public:
  /// Takes the device that is current. Unavailable where the driver has no such wait.
  StreamGate();
  /// Opens the gate.
  ~StreamGate();
  StreamGate(const StreamGate&) = delete;
  StreamGate& operator=(const StreamGate&) = delete;

  [[nodiscard]] bool available() const { return wait_ != nullptr; }
  /// Enqueues the hold; what is enqueued on `stream` afterwards waits. Returns the driver's error.
  cudaError_t hold(cudaStream_t stream);
  /// Lets the stream go on; true if it was held until now, false if the watchdog had opened it.
  bool release();

 private:
  using WaitValue = int (*)(cudaStream_t, unsigned long long, unsigned, unsigned);

  void watch();
  void open(std::uint32_t ticket);

  WaitValue wait_ = nullptr;
  std::uint32_t* flag_ = nullptr;  ///< pinned, read by the device
  unsigned long long device_flag_ = 0;
  std::atomic<std::uint32_t> ticket_{0};
  std::atomic<std::int64_t> held_since_ns_{0};  ///< 0: not held
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread watchdog_;
};

}  // namespace fa2bench::cuda
