// SPDX-License-Identifier: MIT
// The streams that calls are timed on, one at a time. A launch takes a time of its own on each:
// where the driver keeps a stream's launches in memory moves an event pair round one kernel by 0.1
// to 0.3 µs, and stays for as long as the stream lives. One stream would repeat to 0.03 µs and
// differ by ten times that from the next process; trials on many of them see what there is.
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

  /// Sets how many streams have hardware queues of their own, unless the user did; the driver's
  /// default of 8 would let the others share them. To be called before CUDA is.
  static void ask_for_queues();

 private:
  std::array<Stream, 16> streams_;
  std::size_t now_ = 0;
};

}  // namespace fa2bench::cuda
