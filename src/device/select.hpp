// SPDX-License-Identifier: MIT
// From the text of --device to a Device.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "device/device.hpp"

namespace fa2bench {

struct DeviceRequest {
  enum class Kind { automatic, host, cuda };
  Kind kind = Kind::automatic;
  int index = 0;  ///< cuda:N
  /// This run had work on the device before: its telemetry_before() is of no interest.
  bool used_before = false;
};

/// "auto", "cpu", "cuda", "cuda:N"; throws Error(usage).
DeviceRequest parse_device(std::string_view text);

/// Why CUDA cannot be used here, or "" if it can. Initializes the driver.
std::string cuda_obstacle();

struct OpenedDevice {
  std::unique_ptr<Device> device;
  std::string note;  ///< why `auto` chose the CPU, if it did
};

/// Throws Error(environment) if a device that was asked for is not there.
OpenedDevice open_device(const DeviceRequest& request);

}  // namespace fa2bench
