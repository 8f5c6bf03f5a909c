// SPDX-License-Identifier: MIT
// The gate: a held stream keeps the host's delays out of a time, and shows work that runs
// elsewhere.
#include <cuda_runtime_api.h>

#include <chrono>

#include "gpu/gpu_test.hpp"

namespace fa2bench {
namespace {

class Gate : public test::GpuTest {
 protected:
  static constexpr Bytes kSize = mib(1);
  static constexpr std::uint32_t kWord = 0x01020304U;

  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (!device().has_gate()) GTEST_SKIP() << "the driver has no cuStreamWaitValue32";
    memory_ = device().allocate(kSize);
    device().fill_words(memory_.get(), kWord, kSize);
    device().synchronize();
  }
  [[nodiscard]] cudaStream_t own_stream() const {
    return static_cast<cudaStream_t>(device().stream());
  }
  int fill(cudaStream_t stream) const {
    return static_cast<int>(cudaMemsetAsync(memory_.get(), 0, kSize.count, stream));
  }
  [[nodiscard]] HeldCall held(const std::function<int()>& call) const {
    return device().call_while_held(call, memory_.get(), kWord, kSize);
  }

  DeviceMemory memory_;
};

void delay(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST_F(Gate, KeepsADelayOfTheHostOutOfTheTime) {
  constexpr std::chrono::milliseconds kDelay{2};
  const auto call = [&] {
    delay(kDelay);
    return fill(own_stream());
  };
  // Half: the first event may come late where others keep the device busy.
  EXPECT_GE(device().time_call(call).device, Microseconds(kDelay) / 2.0);
  const CallTime gated = device().time_gated_call(call);
  EXPECT_FALSE(gated.blocked);
  EXPECT_LT(gated.device, Microseconds(kDelay) / 4.0);
  EXPECT_GE(gated.host, Microseconds(kDelay));
}

TEST_F(Gate, LetsACallGoThatWaitsForTheDevice) {
  const auto call = [&] { return static_cast<int>(cudaStreamSynchronize(own_stream())); };
  EXPECT_TRUE(device().time_gated_call(call).blocked);
  EXPECT_TRUE(held(call).blocked);
  // And the next one is gated again.
  EXPECT_FALSE(device().time_gated_call([&] { return fill(own_stream()); }).blocked);
}

TEST_F(Gate, GivesBackTheCodeOfTheCall) {
  EXPECT_EQ(device().time_gated_call([] { return 4; }).code, 4);
  EXPECT_EQ(held([] { return 3; }).code, 3);
}

TEST_F(Gate, HoldsWorkOnItsOwnStream) {
  const HeldCall call = held([&] { return fill(own_stream()); });
  EXPECT_FALSE(call.blocked);
  EXPECT_FALSE(call.wrote);
}

TEST_F(Gate, ShowsWorkOnAnotherStream) {
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  EXPECT_TRUE(held([&] { return fill(other); }).wrote);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(Gate, OpensManyTimesInARow) {
  for (int i = 0; i < 2000; ++i) {
    const CallTime time = device().time_gated_call([&] { return fill(own_stream()); });
    ASSERT_FALSE(time.blocked) << i;
    ASSERT_EQ(time.code, 0) << i;
  }
}

}  // namespace
}  // namespace fa2bench
