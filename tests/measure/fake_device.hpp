// SPDX-License-Identifier: MIT
// A device whose calls take the times that a test says. No time passes.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "device/stub_device.hpp"

namespace fa2bench::test {

class FakeDevice final : public StubDevice {
 public:
  /// `device_us(i)` is the time of call i, from 0; the host's time is a tenth of it.
  explicit FakeDevice(std::function<double(std::size_t)> device_us)
      : device_us_(std::move(device_us)) {}

  /// From now on there is a gate; `blocks(i)` says whether call i, from 0, waits for the device.
  void give_gate(std::function<bool(std::size_t)> blocks) { blocks_ = std::move(blocks); }

  /// The time of null kernel i, from 0; such calls are neither counted nor events.
  std::function<CallTime(std::size_t, bool gated)> null_time = [](std::size_t, bool) {
    return CallTime{};
  };

  /// What it says of itself from now on.
  void tell(const Telemetry& telemetry) { telemetry_ = telemetry; }
  /// What was asked for, in order: 'e' evict_cache, 'c' a timed call, 'g' a gated one, '<' and '>'
  /// the profiler's start and stop.
  [[nodiscard]] const std::string& events() const { return events_; }

  /// Its clock is the number of calls so far.
  [[nodiscard]] Telemetry telemetry() const override {
    Telemetry telemetry = telemetry_;
    telemetry.sm_mhz = static_cast<double>(calls_);
    return telemetry;
  }

  void evict_cache() override { events_ += 'e'; }
  void enqueue_nothing() override { null_ = true; }
  CallTime time_call(const std::function<int()>& call) override {
    events_ += 'c';
    const int code = call();
    if (std::exchange(null_, false)) {
      events_.pop_back();
      return null_time(nulls_++, false);
    }
    const double time = device_us_(calls_++);
    return {Microseconds(time), Microseconds(time / 10.0), code};
  }

  /// From now on there is a clock: of clocked call i, from 0. Such calls are no events.
  std::function<ClockedCall(std::size_t)> clocked = nullptr;
  [[nodiscard]] bool has_sm_clock() const override { return static_cast<bool>(clocked); }
  ClockedCall clock_call(const std::function<int()>& call, bool gated) override {
    ClockedCall result = clocked(clocked_calls_++);
    result.call.code = call();
    EXPECT_EQ(gated, has_gate());
    return result;
  }

  void start_profiler() override { events_ += '<'; }
  void stop_profiler() override { events_ += '>'; }

  [[nodiscard]] bool has_gate() const override { return static_cast<bool>(blocks_); }
  CallTime time_gated_call(const std::function<int()>& call) override {
    events_ += 'g';
    const int code = call();
    if (std::exchange(null_, false)) {
      events_.pop_back();
      return null_time(nulls_++, true);
    }
    const bool blocked = blocks_(calls_);
    const double time = device_us_(calls_++);
    return {Microseconds(time), Microseconds(time / 10.0), code, blocked};
  }

 private:
  std::function<double(std::size_t)> device_us_;
  std::function<bool(std::size_t)> blocks_;
  std::size_t calls_ = 0;
  std::size_t nulls_ = 0;
  std::size_t clocked_calls_ = 0;
  bool null_ = false;  ///< what was enqueued last is a null kernel
  std::string events_;
  Telemetry telemetry_;
};

}  // namespace fa2bench::test
