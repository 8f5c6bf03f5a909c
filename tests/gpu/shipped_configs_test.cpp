// SPDX-License-Identifier: MIT
// The bundled CUDA shim on the shipped configs that are made of edges: grids past 65535, every
// ratio of heads, every policy and width of table rows, blocks that are shared, pools past 2^32
// elements.
#include <string>

#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

class ShippedConfig : public GpuTest, public testing::WithParamInterface<const char*> {};

TEST_P(ShippedConfig, IsRightWithTheBundledShim) {
  const Shim shim = bundled_shim();
  std::string left_out;
  for (const auto& [name, workload] : shipped((std::string(GetParam()) + ".json").c_str())) {
    const Plan plan = make_plan(workload);
    if (nothing_to_do(plan)) continue;
    const Bytes needed = WorkloadBuffers::footprint(plan, workload.shape);
    if (device().free_memory() < needed + mib(256)) {
      left_out += name + " needs " + to_text(needed) + "; ";
      continue;
    }
    const GpuTarget target(device(), workload);
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << name << ": " << report.diagnosis;
    EXPECT_TRUE(target.follows_convention(report)) << name;
  }
  if (!left_out.empty()) GTEST_SKIP() << left_out << "less is free";
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedConfig, testing::Values("edge", "gqa", "prefix", "big_pool"),
                         [](const auto& file) { return std::string(file.param); });

}  // namespace
}  // namespace fa2bench::test
