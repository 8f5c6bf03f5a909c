// SPDX-License-Identifier: MIT
// The collecting of CUPTI's records, from a library that needs no device.
#include "device/cuda/activities.hpp"

#include <cupti.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Activities : public testing::Test {
 protected:
  ~Activities() override { ::unsetenv("MOCK_CUPTI"); }

  static KernelTrace record(
      const char* fault, const std::function<void()>& work = [] {}) {
    ::setenv("MOCK_CUPTI", fault, 1);
    return cuda::record_activities({"libthere_is_none.so", FA2BENCH_MOCK_CUPTI},
                                   {[] {}, work, [] {}});
  }

  /// The mock's function of this name.
  template <typename Function>
  static Function mock(const char* name) {
    void* library = ::dlopen(FA2BENCH_MOCK_CUPTI, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function>(::dlsym(library, name));
  }

  /// Domains, subscribers and enabled kinds that are left.
  static int left_on() { return mock<int (*)()>("mock_cupti_state")(); }

  /// A function of CUDA, with what it calls itself.
  static void api(
      CUpti_CallbackDomain domain, const char* name, const std::function<void()>& inside = [] {}) {
    const auto notice = mock<void (*)(int, int, const char*)>("mock_cupti_call");
    notice(domain, CUPTI_API_ENTER, name);
    inside();
    notice(domain, CUPTI_API_EXIT, name);
  }
  static void runtime(
      const char* name, const std::function<void()>& inside = [] {}) {
    api(CUPTI_CB_DOMAIN_RUNTIME_API, name, inside);
  }
  static void driver(const char* name) { api(CUPTI_CB_DOMAIN_DRIVER_API, name); }
};

TEST_F(Activities, AreEveryLaunchInTheOrderOfTheirStarts) {
  int works = 0;
  const KernelTrace trace = record("", [&] { ++works; });
  EXPECT_EQ(works, 1);
  EXPECT_EQ(trace.obstacle, "");
  ASSERT_EQ(trace.launches.size(), 4U);
  const Launch wide{LaunchKind::kernel,
                    "void wide<__half, 128>(__half const*)",
                    {132, 2, 1},
                    {128, 1, 1},
                    168,
                    {66560}};
  EXPECT_EQ(trace.launches[0].launch, wide);
  EXPECT_EQ(trace.launches[1].launch.name, "plain_c_kernel");
  const Launch copy{LaunchKind::copy, "4096 bytes, device to device", {}, {}, 0, {}};
  EXPECT_EQ(trace.launches[2].launch, copy);
  const Launch fill{LaunchKind::fill, "64 bytes", {}, {}, 0, {}};
  EXPECT_EQ(trace.launches[3].launch, fill);
}

TEST_F(Activities, HaveTimesFromTheFirstStart) {
  const KernelTrace trace = record("");
  ASSERT_EQ(trace.launches.size(), 4U);
  EXPECT_EQ(trace.launches[0].start_us, 0.0);
  EXPECT_EQ(trace.launches[0].end_us, 20.0);
  EXPECT_EQ(trace.launches[1].start_us, 20.5);
  EXPECT_EQ(trace.launches[3].end_us, 33.25);
  EXPECT_EQ(trace.span_us, 33.25);
}

TEST_F(Activities, CanBeRecordedAgainAndLeaveNothingOn) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(record("", [] { EXPECT_EQ(left_on(), 2103); }).launches.size(), 4U);
    EXPECT_EQ(left_on(), 0);
  }
}

TEST_F(Activities, ReadNothingIfAProfilerWasHereFirst) {
  const KernelTrace trace = record("busy", [] { FAIL() << "there is nobody to trace it"; });
  EXPECT_EQ(
      trace.obstacle,
      "CUPTI cannot trace: cuptiSubscribe: result 39; a profiler or debugger uses it already");
  EXPECT_THAT(trace.launches, IsEmpty());
  EXPECT_EQ(left_on(), 0);
}

TEST_F(Activities, LeaveNothingOnIfOnlySomeCanBeRecorded) {
  EXPECT_EQ(record("no_fills").obstacle, "CUPTI cannot trace: cuptiActivityEnable: result 27");
  EXPECT_EQ(left_on(), 0);
}

TEST_F(Activities, LeaveNothingOnIfTheWorkThrows) {
  EXPECT_THROW(record("", [] { throw std::runtime_error("lost"); }), std::runtime_error);
  EXPECT_EQ(left_on(), 0);
  EXPECT_EQ(record("").launches.size(), 4U);
}

TEST_F(Activities, HaveTheFunctionsThatTheCallWaitsOrAllocatesIn) {
  const KernelTrace trace = record("", [] {
    runtime("cudaMallocAsync", [] { driver("cuMemAllocAsync"); });
    runtime("cudaLaunchKernel", [] { driver("cuLaunchKernel"); });
    for (int i = 0; i < 2; ++i) {
      runtime("cudaStreamSynchronize", [] { driver("cuStreamSynchronize"); });
    }
    driver("cuMemFree_v2");
  });
  EXPECT_EQ(trace.api_calls,
            (std::vector<ApiCalls>{
                {"cudaMallocAsync", 1}, {"cudaStreamSynchronize", 2}, {"cuMemFree", 1}}));
}

TEST_F(Activities, DoNotHoldWhatTheToolAndOtherThreadsCall) {
  ::setenv("MOCK_CUPTI", "", 1);
  const auto synchronize = [] { runtime("cudaDeviceSynchronize"); };
  const KernelTrace trace = cuda::record_activities(
      {FA2BENCH_MOCK_CUPTI}, {synchronize, [&] { std::thread(synchronize).join(); }, synchronize});
  EXPECT_EQ(trace.obstacle, "");
  EXPECT_THAT(trace.api_calls, IsEmpty());
}

TEST_F(Activities, AreNoneIfTheCallCannotBeListenedTo) {
  EXPECT_EQ(record("no_driver").obstacle, "CUPTI cannot trace: cuptiEnableDomain: result 27");
  EXPECT_EQ(left_on(), 0);
}

TEST_F(Activities, AreNotGuessedIfSomeAreMissing) {
  EXPECT_EQ(record("dropped").obstacle, "CUPTI dropped 3 records");
  EXPECT_EQ(record("garbage").obstacle, "CUPTI's records cannot be read");
  EXPECT_EQ(record("no_time").obstacle, "CUPTI has no times for some of the launches");
  EXPECT_EQ(record("no_flush").obstacle, "CUPTI cannot trace: cuptiActivityFlushAll: result 999");
  const KernelTrace trace = record("nothing");
  EXPECT_EQ(trace.obstacle, "CUPTI saw no kernel, copy or fill");
  EXPECT_THAT(trace.launches, IsEmpty());
  EXPECT_EQ(left_on(), 0);
}

TEST_F(Activities, OfVersionsWhoseRecordsAreNotKnownAreNotRead) {
  for (const char* version : {"past", "future"}) {
    EXPECT_THAT(record(version).obstacle, HasSubstr("those of CUDA 12 and 13 are")) << version;
    EXPECT_EQ(left_on(), 0);
  }
}

TEST_F(Activities, AreNoneWithoutALibrary) {
  EXPECT_THAT(cuda::record_activities({"libthere_is_none.so"}, {}).obstacle,
              HasSubstr("CUPTI cannot be opened"));
  EXPECT_EQ(cuda::record_activities({"libdl.so.2"}, {}).obstacle,
            "this libcupti.so lacks functions of the activity API");
}

}  // namespace
}  // namespace fa2bench
