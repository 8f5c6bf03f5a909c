// SPDX-License-Identifier: MIT
// The bundled shim's calls under CUPTI: what they launch, and that the trace and the events agree.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/gpu_test.hpp"
#include "stats/summary.hpp"

namespace fa2bench::test {
namespace {

using testing::HasSubstr;

constexpr const char* kWhole = R"({"batch": "200q1s2000", "num_heads": 32, "num_kv_heads": 8})";
constexpr const char* kFew = R"({"batch": "2q1s9000", "num_heads": 32, "num_kv_heads": 4})";
constexpr const char* kSplit = R"({"batch": "q16s9000", "num_heads": 32, "num_kv_heads": 4})";
constexpr const char* kPrefill = R"({"batch": "4q256", "num_heads": 32, "num_kv_heads": 4})";

class KernelTraces : public GpuTest {
 protected:
  /// Traces one gated cold call of a target that was called before.
  KernelTrace trace(const Shim& shim, const GpuTarget& target) {
    target.buffers.poison_outputs();
    device().evict_cache();
    KernelTrace trace = device().trace_kernels(
        [&] { return shim.call(target.buffers.call(), device().stream()).code; }, true);
    EXPECT_EQ(trace.obstacle, "");
    EXPECT_EQ(trace.code, 0);
    EXPECT_FALSE(trace.blocked);
    const VerifyReport report = target.check();
    EXPECT_TRUE(report.ok) << report.diagnosis;
    return trace;
  }

  /// Median of cold gated calls, in µs.
  double gated_us(const std::function<int()>& call) {
    std::vector<double> times;
    for (int i = 0; i < 50; ++i) {
      device().evict_cache();
      times.push_back(device().time_gated_call(call).device.count());
    }
    return summarize(times).median;
  }

  static std::vector<std::string> names(const KernelTrace& trace) {
    std::vector<std::string> names;
    for (const TimedLaunch& launch : trace.launches) names.push_back(launch.launch.name);
    return names;
  }
};

TEST_F(KernelTraces, OfADecodeAreOneKernelOfTheShim) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kWhole));
  ASSERT_TRUE(target.after(shim).ok);
  const KernelTrace found = trace(shim, target);
  ASSERT_EQ(found.launches.size(), 1U) << testing::PrintToString(names(found));
  const Launch& launch = found.launches[0].launch;
  EXPECT_EQ(launch.kind, LaunchKind::kernel);
  EXPECT_THAT(launch.name, HasSubstr("_kernel<"));
  EXPECT_GT(launch.registers, 16U);
  EXPECT_GT(launch.grid[0], 0U);
  EXPECT_EQ(launch.block[0] % 32, 0U);
}

TEST_F(KernelTraces, OfASplitCallAreTheSameTwoKernelsEachTime) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kSplit));
  ASSERT_TRUE(target.after(shim).ok);
  const KernelTrace first = trace(shim, target);
  ASSERT_EQ(first.launches.size(), 2U) << testing::PrintToString(names(first));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(names(trace(shim, target)), names(first));
}

TEST_F(KernelTraces, HaveTimesThatAddUp) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kSplit));
  ASSERT_TRUE(target.after(shim).ok);
  const KernelTrace found = trace(shim, target);
  ASSERT_FALSE(found.launches.empty());
  EXPECT_EQ(found.launches.front().start_us, 0.0);
  EXPECT_EQ(found.launches.back().end_us, found.span_us);
  double sum = 0.0;
  for (const TimedLaunch& launch : found.launches) sum += launch.end_us - launch.start_us;
  EXPECT_GT(sum, 0.5 * found.span_us);
  EXPECT_LT(sum, 1.5 * found.span_us);
}

TEST_F(KernelTraces, AgreeWithTheEvents) {
  const Shim shim = bundled_shim();
  const double floor_us = gated_us([&] {
    device().enqueue_nothing();
    return 0;
  });
  for (const char* json : {kWhole, kFew, kSplit, kPrefill}) {
    const GpuTarget target(device(), read_one(json));
    ASSERT_TRUE(target.after(shim).ok);
    const auto call = [&] { return shim.call(target.buffers.call(), device().stream()).code; };
    const double events_us = gated_us(call);
    std::vector<double> spans;
    for (int i = 0; i < 11; ++i) spans.push_back(trace(shim, target).span_us);
    const double span_us = summarize(spans).median;
    // Two kernels have what an event pair carries between them too.
    const double allowed_us = std::max(0.01 * span_us, 1.2);
    EXPECT_NEAR(events_us - floor_us, span_us, allowed_us)
        << json << ": events " << events_us << ", null kernel " << floor_us;
  }
}

TEST_F(KernelTraces, LeaveLaterCallsAsTheyWere) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kPrefill));
  ASSERT_TRUE(target.after(shim).ok);
  const auto call = [&] { return shim.call(target.buffers.call(), device().stream()).code; };
  const double before_us = gated_us(call);
  (void)trace(shim, target);
  EXPECT_NEAR(gated_us(call), before_us, std::max(0.01 * before_us, 0.3));
}

TEST_F(KernelTraces, HoldCopiesAndFillsToo) {
  const DeviceMemory a = device().allocate(mib(1));
  std::vector<char> host(1U << 20U);
  const KernelTrace found = device().trace_kernels(
      [&] {
        device().download(host.data(), a.get(), mib(1));
        return 0;
      },
      false);
  ASSERT_EQ(found.obstacle, "");
  ASSERT_EQ(found.launches.size(), 1U);
  EXPECT_EQ(found.launches[0].launch.kind, LaunchKind::copy);
  EXPECT_EQ(found.launches[0].launch.name, "1048576 bytes, device to host");
}

TEST_F(KernelTraces, NameTheFunctionsInWhichACallWaits) {
  const Shim shim = bundled_shim();
  const GpuTarget target(device(), read_one(kPrefill));
  ASSERT_TRUE(target.after(shim).ok);
  EXPECT_EQ(trace(shim, target).api_calls, std::vector<ApiCalls>{});
  const KernelTrace found = device().trace_kernels(
      [&] {
        const int code = shim.call(target.buffers.call(), device().stream()).code;
        device().synchronize();
        return code;
      },
      false);
  ASSERT_EQ(found.obstacle, "");
  ASSERT_EQ(found.api_calls.size(), 1U);
  EXPECT_THAT(found.api_calls[0].name, HasSubstr("Synchronize"));
  EXPECT_EQ(found.api_calls[0].count, 1);
}

}  // namespace
}  // namespace fa2bench::test
