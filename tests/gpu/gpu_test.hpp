// SPDX-License-Identifier: MIT
// Tests on the first CUDA device; skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "device/select.hpp"
#include "device/workload_buffers.hpp"
#include "shim/shim.hpp"
#include "verify/verifier.hpp"
#include "workload/config_text.hpp"

namespace fa2bench::test {

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string obstacle = cuda_obstacle();
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    device_ = open_device({DeviceRequest::Kind::cuda, 0}).device;
  }
  [[nodiscard]] Device& device() const { return *device_; }

 private:
  std::unique_ptr<Device> device_;
};

/// The bundled CUDA shim, loaded as the tool loads it.
inline Shim bundled_shim() { return load_shim(FA2BENCH_CUDA_SHIM); }

/// A workload on the device, with its reference. The budget is small: there are many workloads, and
/// the first rows of each are checked whatever it is.
struct GpuTarget {
  Device& device;
  Workload workload;
  Plan plan;
  BlockTable table;
  WorkloadBuffers buffers;
  Verifier verifier;
  std::uint64_t inputs;

  GpuTarget(Device& on, Workload of)
      : device(on),
        workload(std::move(of)),
        plan(make_plan(workload)),
        table(build_block_table(workload)),
        buffers(device, workload, plan, table),
        verifier(workload, plan, table, 2e8),
        inputs(buffers.input_checksum()) {}

  [[nodiscard]] VerifyReport check() const {
    return verifier.check(device, buffers, inputs, &table);
  }

  /// What one call left behind.
  [[nodiscard]] VerifyReport after(const Shim& shim) const {
    buffers.poison_outputs();
    const CallOutcome outcome = shim.call(buffers.call(), device.stream());
    device.synchronize();
    EXPECT_EQ(outcome.code, 0) << outcome.message;
    return check();
  }

  /// Every bit of both outputs.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> output_checksums() const {
    return {device.checksum({{buffers.call().out, plan.memory.q}}),
            device.checksum({{buffers.call().lse, plan.memory.lse}})};
  }
};

}  // namespace fa2bench::test
