// SPDX-License-Identifier: MIT
// The streams that calls are timed on, one at a time. A launch takes a time of its own on each:
// where the driver keeps a stream's launches in memory moves an event pair round one kernel for as
// long as the stream lives, if by less than another process does. As many as the driver has
// hardware queues (CUDA_DEVICE_MAX_CONNECTIONS, 8 unless the user says otherwise): more would share
// them, and asking for 32 makes a context take 0.5 s instead of 0.1 s on an H200.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

#include "device/cuda/check.hpp"

namespace fa2bench::cuda {

class Stream {
 public:
  Stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class StreamSet {
 public:
  [[nodiscard]] cudaStream_t get() const { return streams_[now_].get(); }
  [[nodiscard]] int number() const { return static_cast<int>(now_); }
  /// The next one, which is idle as long as every user waits before it goes on.
  void go_on() { now_ = (now_ + 1) % streams_.size(); }

 private:
  std::array<Stream, 8> streams_;
  std::size_t now_ = 0;
};

}  // namespace fa2bench::cuda
