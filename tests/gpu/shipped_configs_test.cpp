// SPDX-License-Identifier: MIT
// The bundled CUDA shim on every shipped config: among them grids past 65535, every ratio of heads,
// every policy and width of table rows, blocks that are shared, pools past 2^32 elements.
#include <functional>
#include <string>

#include "gpu/gpu_test.hpp"
#include "gpu/graph_capture.hpp"

namespace fa2bench::test {
namespace {

class ShippedConfig : public GpuTest, public testing::WithParamInterface<const char*> {
 protected:
  using Check = std::function<void(const std::string& name, const Workload&, const Plan&)>;

  /// Those with something to do; skipped, with their names, are those without room.
  void for_each_workload(const Check& check) const {
    std::string left_out;
    for (const auto& [name, workload] : shipped((std::string(GetParam()) + ".json").c_str())) {
      const Plan plan = make_plan(workload);
      if (nothing_to_do(plan)) continue;
      const Bytes needed = WorkloadBuffers::footprint(plan, workload.shape);
      if (device().free_memory() < needed + mib(256)) {
        left_out += name + " needs " + to_text(needed) + "; ";
        continue;
      }
      check(name, workload, plan);
    }
    if (!left_out.empty()) GTEST_SKIP() << left_out << "less is free";
  }
};

TEST_P(ShippedConfig, IsRightWithTheBundledShim) {
  const Shim shim = bundled_shim();
  for_each_workload([&](const std::string& name, const Workload& workload, const Plan&) {
    const GpuTarget target(device(), workload);
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << name << ": " << report.diagnosis;
    EXPECT_TRUE(target.follows_convention(report)) << name;
  });
}

TEST_P(ShippedConfig, GivesTheSameBitsFromAGraph) {
  const Shim shim = bundled_shim();
  for_each_workload([&](const std::string& name, const Workload& workload, const Plan& plan) {
    const WorkloadBuffers buffers(device(), workload, plan, build_block_table(workload));
    const auto stream = static_cast<cudaStream_t>(device().stream());
    const PagedVarlenCall call = buffers.call();
    const auto sum = [&] {
      return device().checksum({{call.out, plan.memory.q}, {call.lse, plan.memory.lse}});
    };
    buffers.poison_outputs();
    ASSERT_EQ(shim.call(call, stream).code, 0) << name;
    device().synchronize();
    const auto direct = sum();
    const Capture captured = capture(shim, call, stream);
    ASSERT_EQ(captured.code, 0) << name << ": " << captured.message;
    for (int replay = 0; replay < 2; ++replay) {
      buffers.poison_outputs();
      check(cudaGraphLaunch(captured.graph.get(), stream));
      device().synchronize();
      EXPECT_EQ(sum(), direct) << name << ", replay " << replay;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedConfig,
                         testing::Values("smoke", "decode", "prefill", "mixed", "spec_verify",
                                         "long_context", "ferrum_m3", "edge", "gqa", "prefix",
                                         "big_pool"),
                         [](const auto& file) { return std::string(file.param); });

}  // namespace
}  // namespace fa2bench::test
