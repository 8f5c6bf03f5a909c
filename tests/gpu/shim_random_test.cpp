// SPDX-License-Identifier: MIT
// The bundled CUDA shim against the reference, on many seeded workloads.
#include <string>

#include "gpu/gpu_test.hpp"
#include "gpu/random_workload.hpp"

namespace fa2bench::test {
namespace {

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
                         testing::Range<std::uint64_t>(0, kRandomWorkloads, kPerTest));

}  // namespace
}  // namespace fa2bench::test
