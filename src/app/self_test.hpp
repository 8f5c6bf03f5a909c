// SPDX-License-Identifier: MIT
// Whether a machine's times can be trusted: what is assumed of device and host, measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "device/device.hpp"
#include "result/self_test.hpp"

namespace fa2bench {

/// What another process made of memory that was shared with it.
struct PeerAnswer {
  std::string obstacle;     ///< why it could not open it; "" if it could
  std::uint64_t found = 0;  ///< its first eight bytes; their complement stands there since
};

/// Asks another process to open `handle`. Throws DeviceError, not lost, if that process is gone.
using SharingPeer = std::function<PeerAnswer(const std::string& handle)>;

/// The host's clock, which is tested too.
using HostClock = std::function<std::chrono::steady_clock::time_point()>;

/// `before`: what the device said of itself before this process used it. Takes a second or two.
/// Throws DeviceError; a check that cannot be made is not_available.
SelfTest run_self_test(Device& device, const Telemetry& before, const SharingPeer& peer,
                       const HostClock& now = std::chrono::steady_clock::now);

}  // namespace fa2bench
