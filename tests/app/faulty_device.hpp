// SPDX-License-Identifier: MIT
// The host device with a small cache, a clock of its own, and faults on demand.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/host/host_device.hpp"

namespace fa2bench::test {

/// Long enough that one call is a whole warm-up (see SessionTest).
inline constexpr Microseconds kCallTime{1e9};

class FaultyDevice final : public Device {
 public:
  FaultyDevice() : real_(make_host_device()), facts_(real_->facts()) { facts_.l2 = kib(64); }

  /// Reported instead of what the machine has.
  std::optional<Bytes> free;
  /// Called before the member of the same name does its work; may throw.
  std::function<void()> on_free_memory = [] {};
  std::function<void()> on_allocate = [] {};
  std::function<void()> on_synchronize = [] {};
  /// There are graphs if this is set; it may call or not.
  std::function<CallGraph(const std::function<int()>& call)> on_graph;
  /// There are traces if this is set; it may call or not.
  std::function<KernelTrace(const std::function<int()>& call, bool gated)> on_trace;
  bool gate = false;  ///< there is one, which never has to let a call go
  int evictions = 0;
  std::string profiler;  ///< '<' for each start and '>' for each stop
  int short_calls = 0;   ///< so many calls from now on take next to no time

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  [[nodiscard]] Bytes free_memory() const override {
    on_free_memory();
    return free ? *free : real_->free_memory();
  }
  [[nodiscard]] void* stream() const override { return real_->stream(); }
  DeviceMemory allocate(Bytes size) override {
    on_allocate();
    return real_->allocate(size);
  }
  SharedMemory allocate_shared(Bytes size) override { return real_->allocate_shared(size); }
  DeviceMemory open_shared(const std::string& handle) override {
    return real_->open_shared(handle);
  }
  void upload(void* to, const void* from, Bytes size) override { real_->upload(to, from, size); }
  void download(void* to, const void* from, Bytes size) override {
    real_->download(to, from, size);
  }
  void fill_words(void* to, std::uint32_t word, Bytes size) override {
    real_->fill_words(to, word, size);
  }
  void fill_normal(void* to, std::uint64_t count, std::uint64_t seed, Tensor tensor) override {
    real_->fill_normal(to, count, seed, tensor);
  }
  void fill_pool(const PoolFill& fill) override { real_->fill_pool(fill); }
  std::uint64_t find_other_word(const void* from, std::uint32_t word, Bytes size) override {
    return real_->find_other_word(from, word, size);
  }
  OutputScan scan_output(const void* from, std::uint64_t count, ElementType type,
                         std::uint32_t canary, const TokenMarks& apart) override {
    return real_->scan_output(from, count, type, canary, apart);
  }
  std::uint64_t checksum(const std::vector<Region>& regions) override {
    return real_->checksum(regions);
  }
  void evict_cache() override { ++evictions; }
  void synchronize() override {
    on_synchronize();
    real_->synchronize();
  }
  void enqueue_nothing() override { null_ = true; }
  /// Every call but a null kernel's and the short ones takes kCallTime, whatever the clock on the
  /// wall says.
  CallTime time_call(const std::function<int()>& call) override {
    const int code = call();
    if (std::exchange(null_, false)) return {Microseconds(1.0), Microseconds(1.0), code};
    const Microseconds time = short_calls-- > 0 ? Microseconds(10.0) : kCallTime;
    return {time, Microseconds(10.0), code};
  }
  [[nodiscard]] bool has_gate() const override { return gate; }
  [[nodiscard]] bool has_graphs() const override { return static_cast<bool>(on_graph); }
  CallGraph capture(const std::function<int()>& call) override { return on_graph(call); }
  KernelTrace trace_kernels(const std::function<int()>& call, bool gated) override {
    return on_trace ? on_trace(call, gated) : Device::trace_kernels(call, gated);
  }
  void start_profiler() override { profiler += '<'; }
  void stop_profiler() override { profiler += '>'; }
  Ceilings measure_ceilings() override { return {}; }

 private:
  std::unique_ptr<Device> real_;
  DeviceFacts facts_;
  bool null_ = false;  ///< what was enqueued last is a null kernel
};

}  // namespace fa2bench::test
