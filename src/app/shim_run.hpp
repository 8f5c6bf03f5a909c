// SPDX-License-Identifier: MIT
// One shim on one workload whose buffers are ready: verify, time, verify again.
#pragma once

#include <stop_token>

#include "app/session.hpp"
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

/// The label of the result is left to the caller. Throws DeviceError.
Run run_shim_on(const Shim& shim, const WorkloadOnDevice& target, const SessionSettings& settings,
                const Ceilings& ceilings, const std::stop_token& stop);

}  // namespace fa2bench
