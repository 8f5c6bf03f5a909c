// SPDX-License-Identifier: MIT
// One shim on one workload whose buffers are ready: verify, time, verify again.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "app/shim_host.hpp"
#include "device/workload_buffers.hpp"
#include "result/report.hpp"
#include "verify/verifier.hpp"

namespace fa2bench {

/// A workload in device memory. Borrows everything.
struct WorkloadOnDevice {
  Device& device;
  const Workload& workload;
  const Plan& plan;
  const WorkloadBuffers& buffers;
  const Verifier& verifier;
  std::uint64_t input_checksum;  ///< before any call
};

/// Why the shim says that it has no code for the shape, or "".
std::string shape_obstacle(const ShimDescription& described, const HeadShape& shape);

/// The label and the rates of the result are left to the caller. Throws DeviceError.
Run run_shim_on(const Shim& shim, const WorkloadOnDevice& target, const RunRequest& request,
                const PhaseListener& listener, const std::stop_token& stop);

}  // namespace fa2bench
