// SPDX-License-Identifier: MIT
#include "app/profiler.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "app/session_fixture.hpp"
#include "measure/sampling.hpp"

namespace fa2bench {
namespace {

std::string found_in(const std::map<std::string, std::string>& variables) {
  return profiler_in([&](const char* name) {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  });
}

TEST(ProfilerIn, NamesNobodyInAPlainEnvironment) {
  EXPECT_EQ(found_in({}), "");
  EXPECT_EQ(found_in({{"PATH", "/bin"}, {"NSYS_NVTX_PROFILER_REGISTER_ONLY", "0"}}), "");
  EXPECT_EQ(found_in({{"NV_COMPUTE_PROFILER_DISABLE_STOCK_FILE_DEPLOYMENT", "1"}}), "");
  EXPECT_EQ(found_in({{"NVTX_INJECTION64_PATH", ""}}), "");
}

TEST(ProfilerIn, NamesTheToolRatherThanItsInjections) {
  const std::map<std::string, std::string> injections{{"CUDA_INJECTION64_PATH", "a.so"},
                                                      {"NVTX_INJECTION64_PATH", "b.so"}};
  std::map<std::string, std::string> nsys = injections;
  nsys["NSYS_PROFILING_SESSION_ID"] = "17";
  EXPECT_EQ(found_in(nsys), "nsys");
  for (const char* sign : {"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "NV_TPS_LAUNCH_TOKEN",
                           "NV_NSIGHT_INJECTION_TRANSPORT_TYPE"}) {
    std::map<std::string, std::string> ncu = injections;
    ncu[sign] = "x";
    EXPECT_EQ(found_in(ncu), "ncu") << sign;
  }
  EXPECT_EQ(found_in(injections), "cuda injection");
  EXPECT_EQ(found_in({{"NVTX_INJECTION64_PATH", "b.so"}}), "nvtx injection");
}

class ProfiledRun : public test::SessionTest {
 protected:
  ProfiledRun() {
    settings_.profile = true;
    settings_.limits = profiling_limits(settings_.limits);
  }
};

TEST_F(ProfiledRun, IsOkWithFewUnsweptSamplesInOneBracketForEachMode) {
  settings_.modes = {Mode::cold, Mode::warm};
  run({"a"});
  EXPECT_EQ(run_of(0).status, Status::ok);
  ASSERT_EQ(run_of(0).timings.size(), 2U);
  for (const Timing& timing : run_of(0).timings) {
    EXPECT_EQ(timing.samples.device_us.size(), 10U);
    EXPECT_EQ(timing.samples.cache, CacheState::as_left);
    EXPECT_EQ(timing.samples.event_floor_us, 0.0);
  }
  EXPECT_EQ(device_.evictions, 0);
  EXPECT_EQ(device_.profiler, "<><>");
}

TEST_F(ProfiledRun, SavesAWorkloadBeforeTheBracketOfTheNext) {
  std::string brackets_at_save;
  on_save_ = [&] { brackets_at_save += device_.profiler + ";"; };
  run({"a", "b"});
  EXPECT_EQ(brackets_at_save, "<>;<><>;");
}

TEST_F(ProfiledRun, ThatFailsInTheBracketIsFailedAndTheNextHasItsOwn) {
  const test::FakeScript script([](int call) {
    test::FakeOrder order;
    if (call == 8) order.code = 4, order.text = "no kernel";
    return order;
  });
  run({"a", "b"});
  EXPECT_EQ(run_of(0).status, Status::failed);
  EXPECT_EQ(run_of(1).status, Status::ok);
  EXPECT_EQ(device_.profiler, "<><>");
}

}  // namespace
}  // namespace fa2bench
