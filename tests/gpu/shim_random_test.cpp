// SPDX-License-Identifier: MIT
// The bundled CUDA shim against the reference, on many seeded workloads and on far block ids.
#include <vector>

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

TEST_F(FarBlocks, ArePastTheRangeOf32BitOffsets) {
  const Shim shim = bundled_shim();
  // 16384 elements a block: block 131072 begins at element 2^31, block 262144 at 2^32.
  for (const int first_block : {131072, 262144}) {
    const Workload workload = read_one(
        R"({"batch": "q1s1000_q17s300_q1s129", "num_heads": 32, "num_kv_heads": 8,
            "block_table": {"first_block": )" +
        std::to_string(first_block) + "}}");
    const Bytes needed = WorkloadBuffers::footprint(make_plan(workload), workload.shape);
    if (device().free_memory() < needed + mib(256)) {
      GTEST_SKIP() << "pools of " << to_text(needed) << " do not fit";
    }
    const VerifyReport report = GpuTarget(device(), workload).after(shim);
    EXPECT_TRUE(report.ok) << first_block << ": " << report.diagnosis;
  }
}

}  // namespace
}  // namespace fa2bench::test
