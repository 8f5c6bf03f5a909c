// SPDX-License-Identifier: MIT
// The tool and a shim each have a CUDA runtime of their own: streams, memory and the current device
// are the driver's, which they share, and error states are not.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

constexpr const char* kSplit = R"({"batch": "2q1s9000_q5s300", "num_heads": 32,
                                   "num_kv_heads": 4})";

class ShimRuntime : public GpuTest {
 protected:
  static int devices() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
  }
};

TEST_F(ShimRuntime, MayBeTheSharedLibraryWhereTheToolHasTheStaticOne) {
  const Shim shared = load_shim(FA2BENCH_SHIM_WITH_SHARED_RUNTIME);
  const Shim own = bundled_shim();
  const GpuTarget target(device(), read_one(kSplit));
  for (const Shim* shim : {&shared, &own, &shared}) {
    const VerifyReport report = target.after(*shim);
    EXPECT_TRUE(report.ok) << shim->path() << ": " << report.diagnosis;
  }
}

TEST_F(ShimRuntime, KeepsItsErrorsToItself) {
  const Shim shared = load_shim(FA2BENCH_SHIM_WITH_SHARED_RUNTIME);
  const GpuTarget target(device(), read_one(kSplit));
  // A name is looked up in the libraries of a handle too: this is the shared runtime's function.
  void* library = dlopen(shared.path().c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  using SetDevice = cudaError_t (*)(int);
  const auto set_device = reinterpret_cast<SetDevice>(dlsym(library, "cudaSetDevice"));
  ASSERT_NE(set_device, nullptr);
  EXPECT_NE(set_device(1 << 20), cudaSuccess);  // stays there as the last error
  EXPECT_NO_THROW(device().synchronize());
  const VerifyReport report = target.after(bundled_shim());
  EXPECT_TRUE(report.ok) << report.diagnosis;
}

// A library, or this program, may have made another device current before a call.
TEST_F(ShimRuntime, FindsTheDeviceOfItsStreamWhateverWasCurrentBefore) {
  if (devices() < 2) GTEST_SKIP() << "there is one GPU only";
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kSplit));
  target.buffers.poison_outputs();
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  const CallTime time =
      device().time_call([&] { return shim.call(target.buffers.call(), device().stream()).code; });
  EXPECT_EQ(time.code, 0);
  const VerifyReport report = target.check();
  EXPECT_TRUE(report.ok) << report.diagnosis;
}

TEST_F(ShimRuntime, MayLeaveAnotherDeviceCurrent) {
  if (devices() < 2) GTEST_SKIP() << "there is one GPU only";
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kSplit));
  // Whatever is loaded or set up at a first call must be there before a stream is held.
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_TRUE(target.after(shim).ok);
  const auto call = [&] {
    const int code = shim.call(target.buffers.call(), device().stream()).code;
    return cudaSetDevice(1) == cudaSuccess ? code : -1;
  };
  constexpr std::uint32_t kPair = kCanaryHalf | (std::uint32_t{kCanaryHalf} << 16U);
  for (int round = 0; round < 3; ++round) {
    target.buffers.poison_outputs();
    EXPECT_EQ(device().time_gated_call(call).code, 0);
    const VerifyReport report = target.check();
    EXPECT_TRUE(report.ok) << report.diagnosis;
    target.buffers.poison_outputs();
    const HeldCall held =
        device().call_while_held(call, target.buffers.call().out, kPair, target.plan.memory.q);
    EXPECT_EQ(held.code, 0);
    EXPECT_FALSE(held.wrote);
    EXPECT_NO_THROW((void)device().allocate(mib(1)));
  }
}

}  // namespace
}  // namespace fa2bench::test
