// SPDX-License-Identifier: MIT
// The bundled CUDA shim against the reference, on many seeded workloads and on far block ids.
#include <string>

#include "gpu/gpu_test.hpp"
#include "gpu/random_workload.hpp"

namespace fa2bench::test {
namespace {

constexpr std::uint64_t kWorkloads = 300;
constexpr std::uint64_t kPerTest = 50;

class BundledShim : public GpuTest, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(BundledShim, IsRightOnRandomWorkloads) {
  const Shim shim = bundled_shim();
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPerTest; ++seed) {
    const std::string json = random_workload(seed);
    const GpuTarget target(device(), read_one(json));
    const VerifyReport report = target.after(shim);
    EXPECT_TRUE(report.ok) << "seed " << seed << ": " << report.diagnosis << "\n" << json;
    EXPECT_TRUE(target.follows_convention(report)) << "seed " << seed << "\n" << json;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BundledShim,
                         testing::Range<std::uint64_t>(0, kWorkloads, kPerTest));

class FarBlocks : public GpuTest {};

// Blocks past 2^31 bytes, 2^31 elements and 2^32 elements of a pool.
TEST_F(FarBlocks, ArePastTheRangeOf32BitOffsets) {
  const Shim shim = bundled_shim();
  std::string left_out;
  for (const auto& [name, workload] : shipped("big_pool.json")) {
    const Bytes needed = WorkloadBuffers::footprint(make_plan(workload), workload.shape);
    if (device().free_memory() < needed + mib(256)) {
      left_out += name + " needs " + to_text(needed) + "; ";
      continue;
    }
    const VerifyReport report = GpuTarget(device(), workload).after(shim);
    EXPECT_TRUE(report.ok) << name << ": " << report.diagnosis;
  }
  if (!left_out.empty()) GTEST_SKIP() << left_out << "less is free";
}

}  // namespace
}  // namespace fa2bench::test
