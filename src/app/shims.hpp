// SPDX-License-Identifier: MIT
// From --shim and the environment to loaded shims that fit the device.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "result/report.hpp"
#include "shim/locate.hpp"
#include "shim/shim.hpp"

namespace fa2bench {

struct LoadedShim {
  ShimRecord record;
  Shim shim;
};

/// What would be loaded, as far as that is known without a device: the bundled shim has no path
/// yet.
std::vector<ShimRequest> requested_shims(const std::vector<std::string>& arguments);

/// What would be loaded: the values of --shim, else the variable, else the bundled shim.
std::vector<ShimRequest> find_shims(const std::vector<std::string>& arguments, DeviceKind device);

/// Runs the libraries' own code. Throws Error(environment), also for a shim whose memory is not the
/// device's.
LoadedShim load_for(const ShimRequest& request, DeviceKind device);

}  // namespace fa2bench
