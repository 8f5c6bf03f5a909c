// SPDX-License-Identifier: MIT
// A GPU of which everything that a self-test looks at can be set. Its time, and the host's that
// goes with it, pass only in calls.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "device/host/host_device.hpp"
#include "device/stub_device.hpp"

namespace fa2bench::test {

class SimulatedDevice final : public StubDevice {
 public:
  using Clock = std::chrono::steady_clock;

  SimulatedDevice() : memory_(make_host_device()) {
    facts_.kind = DeviceKind::cuda;
    facts_.name = "simulated";
    facts_.l2 = kib(256);
  }

  double pair_us = 1.3;  ///< an empty event pair
  double null_us = 1.5;  ///< a null kernel, beyond that
  double spin_rate = 1.0;
  double jitter_us = 0.0;       ///< of every second gated call
  double flush_leak_us = 0.0;   ///< of emptying the cache that gets into the next call
  double warm_walk_us = 100.0;  ///< of cold ones: 250
  bool empties = true;
  bool gate = true;
  double host_rate = 1.0;  ///< the host's time of a call, of the device's
  Clock::duration clock_step = std::chrono::nanoseconds(20);
  Ceilings ceilings{4000.0, 700.0, ""};
  std::function<SharedMemory(Device& memory, Bytes size)> share = [](Device& memory, Bytes size) {
    return memory.allocate_shared(size);
  };
  using StubDevice::facts_;

  /// A reading of the host's clock takes a step.
  Clock::time_point now() { return now_ += clock_step; }

  [[nodiscard]] Bytes free_memory() const override { return mib(64); }
  DeviceMemory allocate(Bytes size) override { return memory_->allocate(size); }
  SharedMemory allocate_shared(Bytes size) override { return share(*memory_, size); }
  void upload(void* to, const void* from, Bytes size) override { memory_->upload(to, from, size); }
  void download(void* to, const void* from, Bytes size) override {
    memory_->download(to, from, size);
  }
  void fill_words(void* to, std::uint32_t word, Bytes size) override {
    memory_->fill_words(to, word, size);
    if (size >= facts_.l2 * 2) in_cache_ = false;
  }
  void evict_cache() override {
    if (empties) in_cache_ = false;
    leaked_us_ = flush_leak_us;
  }
  void synchronize() override { busy_us_ = 0.0; }

  void enqueue_nothing() override { busy_us_ += null_us; }
  void enqueue_spin(Microseconds time) override { busy_us_ += null_us + spin_rate * time.count(); }
  void enqueue_walk(const LineWalk&) override {
    busy_us_ += null_us + (in_cache_ ? warm_walk_us : 250.0);
    in_cache_ = true;
  }
  CallTime time_call(const std::function<int()>& call) override { return time(call, 5.0); }
  [[nodiscard]] bool has_gate() const override { return gate; }
  CallTime time_gated_call(const std::function<int()>& call) override {
    odd_ = !odd_;
    return time(call, odd_ ? jitter_us : 0.0);
  }
  Ceilings measure_ceilings() override { return ceilings; }

 private:
  CallTime time(const std::function<int()>& call, double host_delay_us) {
    busy_us_ = 0.0;
    const int code = call();
    const Microseconds time(pair_us + busy_us_ + host_delay_us + std::exchange(leaked_us_, 0.0));
    now_ += std::chrono::duration_cast<Clock::duration>(time * host_rate);
    return {time, Microseconds(1.0), code, false};
  }

  std::unique_ptr<Device> memory_;
  Clock::time_point now_;
  double busy_us_ = 0.0;
  double leaked_us_ = 0.0;
  bool in_cache_ = false;
  bool odd_ = false;
};

}  // namespace fa2bench::test
