// SPDX-License-Identifier: MIT
// A workload in host memory with its verifier.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "device/host/host_device.hpp"
#include "device/workload_buffers.hpp"
#include "verify/verifier.hpp"
#include "workload/config_text.hpp"

namespace fa2bench::test {

/// Workload and memory, without a reference.
struct HostWorkload {
  std::unique_ptr<Device> device = make_host_device();
  Workload workload;
  Plan plan;
  BlockTable table;
  WorkloadBuffers buffers;

  explicit HostWorkload(Workload of)
      : workload(std::move(of)),
        plan(make_plan(workload)),
        table(build_block_table(workload)),
        buffers(*device, workload, plan, table) {}
  explicit HostWorkload(const std::string& json) : HostWorkload(read_one(json)) {}
};

struct HostTarget : HostWorkload {
  Verifier verifier;
  std::uint64_t inputs;

  explicit HostTarget(Workload of)
      : HostWorkload(std::move(of)),
        verifier(workload, plan, table),
        inputs(buffers.input_checksum()) {}
  explicit HostTarget(const std::string& json) : HostTarget(read_one(json)) {}

  /// What the verifier says of what `call` leaves behind.
  template <typename Call>
  [[nodiscard]] VerifyReport after(const Call& call) const {
    buffers.poison_outputs();
    call(buffers.call());
    return verifier.check(*device, buffers, inputs, &table);
  }
};

}  // namespace fa2bench::test
