// SPDX-License-Identifier: MIT
// The monitor against a library that says what it is told (mocks/fake_nvml.c).
#include "device/nvml/monitor.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "device/mocks/fake_nvml.h"

namespace fa2bench::nvml {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// nvmlReturn_t
constexpr int kNotSupported = 3;
constexpr int kNoPermission = 4;
constexpr int kDriverNotLoaded = 9;

fake_nvml& fake() {
  void* library = ::dlopen(FA2BENCH_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
  return *reinterpret_cast<fake_nvml_state_fn>(::dlsym(library, "fake_nvml_state"))();
}

class NvmlMonitor : public testing::Test {
 protected:
  NvmlMonitor() { state_ = {}; }

  static Monitor monitor(bool own_namespace = false, const std::string& uuid = FAKE_NVML_UUID) {
    return {open_library(FA2BENCH_FAKE_NVML), uuid, own_namespace};
  }

  void list(const std::vector<unsigned>& pids, unsigned long long bytes_each = 0) {
    state_.processes = 0;
    for (const unsigned pid : pids) {
      state_.pids[state_.processes] = pid;
      state_.used[state_.processes++] = bytes_each;
    }
  }
  static unsigned self() { return static_cast<unsigned>(::getpid()); }

  fake_nvml& state_ = fake();
};

/// No process has it: past the largest that Linux gives.
constexpr unsigned kStranger = 1U << 30U;

TEST_F(NvmlMonitor, ReadsEverySensorInItsUnit) {
  state_.sm_mhz = 1980;
  state_.memory_mhz = 3201;
  state_.celsius = 41;
  state_.milliwatts = 123'456;
  state_.utilization = 37;
  state_.reasons = 0x24;
  list({kStranger});
  const Telemetry read = monitor().read(false);
  EXPECT_EQ(read.sm_mhz, 1980.0);
  EXPECT_EQ(read.memory_mhz, 3201.0);
  EXPECT_EQ(read.temperature_c, 41.0);
  EXPECT_DOUBLE_EQ(read.power_w.value(), 123.456);
  EXPECT_EQ(read.utilization_percent, 37.0);
  EXPECT_THAT(read.throttle_reasons.value(), ElementsAre("sw_power_cap", "sw_thermal"));
  EXPECT_EQ(read.other_compute_processes, 1);
  EXPECT_EQ(read.cpu_mhz, std::nullopt);
}

TEST_F(NvmlMonitor, TellsNoReasonFromNotKnowing) {
  EXPECT_THAT(monitor().read(false).throttle_reasons.value(), IsEmpty());
  state_.code = kNotSupported;
  EXPECT_EQ(monitor().read(false).throttle_reasons, std::nullopt);
}

TEST_F(NvmlMonitor, DescribesTheGpu) {
  state_.ecc = 1;
  state_.persistence = 1;
  state_.limit_milliwatts = 700'000;
  state_.max_sm_mhz = 1980;
  DeviceFacts facts;
  monitor().describe(facts);
  EXPECT_EQ(facts.driver, "580.1.2");
  EXPECT_EQ(facts.ecc, true);
  EXPECT_EQ(facts.mig, false);
  EXPECT_EQ(facts.persistence, true);
  EXPECT_DOUBLE_EQ(facts.power_limit_w.value(), 700.0);
  EXPECT_EQ(facts.max_sm_mhz, 1980.0);
}

TEST_F(NvmlMonitor, KnowsNothingOfWhatItMayNotAsk) {
  for (const int code : {kNotSupported, kNoPermission}) {
    state_.code = code;
    EXPECT_EQ(monitor().read(true), Telemetry{});
    DeviceFacts facts;
    monitor().describe(facts);
    EXPECT_EQ(facts.driver, "");
    EXPECT_EQ(facts.ecc, std::nullopt);
    EXPECT_EQ(facts.mig, std::nullopt);
    EXPECT_EQ(facts.persistence, std::nullopt);
    EXPECT_EQ(facts.power_limit_w, std::nullopt);
    EXPECT_EQ(facts.max_sm_mhz, std::nullopt);
  }
}

TEST_F(NvmlMonitor, KnowsTheRestWhereOneQuestionIsRefused) {
  state_.process_code = kNoPermission;
  state_.sm_mhz = 1980;
  const Telemetry read = monitor().read(false);
  EXPECT_EQ(read.other_compute_processes, std::nullopt);
  EXPECT_EQ(read.sm_mhz, 1980.0);
}

TEST_F(NvmlMonitor, KnowsNothingWithoutTheLibrary) {
  const Monitor absent(open_library("libnvidia-ml-of-no-machine.so.1"), FAKE_NVML_UUID);
  EXPECT_EQ(absent.read(false), Telemetry{});
  DeviceFacts facts;
  absent.describe(facts);
  EXPECT_EQ(facts.driver, "");
}

TEST_F(NvmlMonitor, KnowsNothingWithoutADriverBehindTheLibrary) {
  state_.init_code = kDriverNotLoaded;
  EXPECT_FALSE(open_library(FA2BENCH_FAKE_NVML).has_value());
}

TEST_F(NvmlMonitor, TakesNoOtherGpuThanTheOneWithItsUuid) {
  state_.sm_mhz = 1980;
  for (const char* uuid : {"GPU-ffffffff-4455-6677-8899-aabbccddeeff", "GPU-", "G", ""}) {
    EXPECT_EQ(monitor(false, uuid).read(false), Telemetry{}) << uuid;
  }
}

TEST_F(NvmlMonitor, AsksThePartForItsProcessesAndTheGpuForTheRest) {
  state_.as_part = 1;
  state_.sm_mhz = 1980;
  state_.mig = 1;
  list({self(), kStranger});
  const Monitor of_part = monitor();
  const Telemetry read = of_part.read(true);
  EXPECT_EQ(read.sm_mhz, 1980.0);
  EXPECT_EQ(read.other_compute_processes, 1);
  DeviceFacts facts;
  of_part.describe(facts);
  EXPECT_EQ(facts.mig, true);
  EXPECT_EQ(state_.part_questions, 0);
}

TEST_F(NvmlMonitor, ReadsInAFewCallsAndLooksNothingUpAgain) {
  const Monitor once = monitor(true);
  state_.calls = state_.look_ups = 0;
  (void)once.read(false);
  EXPECT_EQ(state_.calls, 8);
  EXPECT_EQ(state_.look_ups, 0);
}

TEST_F(NvmlMonitor, DoesNotCountItself) {
  list({self()});
  EXPECT_EQ(monitor().read(true).other_compute_processes, 0);
  list({kStranger, self(), kStranger + 1});
  EXPECT_EQ(monitor().read(true).other_compute_processes, 2);
}

TEST_F(NvmlMonitor, DoesNotCountWhoIsOfAnotherProgram) {
  list({self(), 1});  // whatever started this machine is no part of the run
  EXPECT_EQ(monitor().read(true).other_compute_processes, 1);
}

TEST_F(NvmlMonitor, ReadsAListThatIsLongerThanExpected) {
  std::vector<unsigned> pids;
  for (unsigned i = 0; i < FAKE_NVML_MOST; ++i) pids.push_back(kStranger + i);
  list(pids);
  EXPECT_EQ(monitor().read(false).other_compute_processes, FAKE_NVML_MOST);
}

TEST_F(NvmlMonitor, InAContainerKnowsThatItIsAloneByTheMemoryInUse) {
  constexpr unsigned long long kGibibyte = 1ULL << 30U;
  list({self()}, 3 * kGibibyte);
  state_.memory_used = 3 * kGibibyte + 5'000'000;
  EXPECT_EQ(monitor(true).read(true).other_compute_processes, 0);
  state_.memory_used = 4 * kGibibyte;
  EXPECT_EQ(monitor(true).read(true).other_compute_processes, std::nullopt);
  EXPECT_EQ(monitor(false).read(true).other_compute_processes, 0);
}

TEST(ReasonWords, AreTheBitsOfNvml) {
  EXPECT_THAT(reason_words(0), IsEmpty());
  EXPECT_THAT(reason_words(0x1FF), ElementsAre("gpu_idle", "applications_clocks", "sw_power_cap",
                                               "hw_slowdown", "sync_boost", "sw_thermal",
                                               "hw_thermal", "hw_power_brake", "display_clock"));
}

TEST(ReasonWords, KeepABitWithoutAName) {
  EXPECT_THAT(reason_words(1ULL << 9U | 1ULL << 63U), ElementsAre("bit_9", "bit_63"));
}

class BeforeWork : public NvmlMonitor {
 protected:
  Telemetry read_before(int steps = 5) {
    const Monitor gpu = monitor();
    return read_before_work(
        [&] {
          ++readings_;
          return gpu.read(false);
        },
        {std::chrono::milliseconds(0), steps});
  }
  int readings_ = 0;
};

TEST_F(BeforeWork, WaitsUntilWorkThatIsOverNoLongerShows) {
  state_.utilization = 100;
  state_.falls_by = 40;
  EXPECT_EQ(read_before().utilization_percent, 0.0);
  EXPECT_EQ(readings_, 4);
}

TEST_F(BeforeWork, DoesNotWaitForeverWhereItStaysBusy) {
  state_.utilization = 100;
  EXPECT_EQ(read_before().utilization_percent, 100.0);
  EXPECT_EQ(readings_, 6);
}

TEST_F(BeforeWork, DoesNotWaitWhereSomebodyElseIsThere) {
  state_.utilization = 100;
  list({kStranger});
  EXPECT_EQ(read_before().other_compute_processes, 1);
  EXPECT_EQ(readings_, 1);
}

}  // namespace
}  // namespace fa2bench::nvml
