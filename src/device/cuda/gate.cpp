// SPDX-License-Identifier: MIT
#include "device/cuda/gate.hpp"

#include <chrono>

namespace fa2bench::cuda {
namespace {

/// Far more than a call needs to enqueue its work, far less than a user's patience.
constexpr std::chrono::milliseconds kPatience{250};
constexpr std::chrono::milliseconds kLook{10};
/// CU_STREAM_WAIT_VALUE_GEQ: (int32)(*flag - ticket) >= 0, so that tickets may wrap round.
constexpr unsigned kWaitUntilReached = 0;

std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

StreamGate::StreamGate() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  // The 12.0 variant of the call is the one whose stream-memory operations need no opt-in.
  constexpr unsigned kVersion = 12000;
  if (cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &function, kVersion,
                                       cudaEnableDefault, &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess) {
    (void)cudaGetLastError();
    return;
  }
  void* flag = nullptr;
  void* on_device = nullptr;
  if (cudaHostAlloc(&flag, sizeof(std::uint32_t), cudaHostAllocMapped) != cudaSuccess ||
      cudaHostGetDevicePointer(&on_device, flag, 0) != cudaSuccess) {
    (void)cudaGetLastError();
    return;
  }
  flag_ = static_cast<std::uint32_t*>(flag);
  *flag_ = 0;
  device_flag_ = reinterpret_cast<unsigned long long>(on_device);
  wait_ = reinterpret_cast<WaitValue>(function);
  watchdog_ = std::thread([this] { watch(); });
}

StreamGate::~StreamGate() {
  if (!available()) return;
  open(ticket_);
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_one();
  watchdog_.join();
  cudaFreeHost(flag_);
}

cudaError_t StreamGate::hold(cudaStream_t stream) {
  ++ticket_;
  const int error = wait_(stream, device_flag_, ticket_, kWaitUntilReached);
  if (error != 0) return cudaErrorUnknown;
  held_since_ns_ = now_ns();
  return cudaSuccess;
}

bool StreamGate::release() {
  // Whoever sets it to "not held" first has opened the gate.
  const bool held = held_since_ns_.exchange(0) != 0;
  open(ticket_);
  return held;
}

void StreamGate::open(std::uint32_t ticket) {
  std::atomic_ref<std::uint32_t>(*flag_).store(ticket, std::memory_order_release);
}

void StreamGate::watch() {
  std::unique_lock lock(mutex_);
  while (!over_changed_.wait_for(lock, kLook, [this] { return over_; })) {
    std::int64_t since = held_since_ns_;
    const std::chrono::nanoseconds held(now_ns() - since);
    // The exchange fails if the gate was released, or held anew, since it was looked at.
    if (since != 0 && held > kPatience && held_since_ns_.compare_exchange_strong(since, 0)) {
      open(ticket_);
    }
  }
}

}  // namespace fa2bench::cuda
