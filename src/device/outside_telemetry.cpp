// SPDX-License-Identifier: MIT
#include "device/outside_telemetry.hpp"

#include "device/host/host_telemetry.hpp"
#include "device/nvml/monitor.hpp"

namespace fa2bench {

Telemetry outside_telemetry(const DeviceFacts& facts) {
  if (facts.kind == DeviceKind::host) return host_telemetry();
  return nvml::Monitor(nvml::open_library(), facts.uuid).read(true);
}

}  // namespace fa2bench
