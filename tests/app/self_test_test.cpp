// SPDX-License-Identifier: MIT
#include "app/self_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/simulated_device.hpp"

namespace fa2bench {
namespace {

using Outcome = SelfTestCheck::Outcome;
using testing::HasSubstr;

class SelfTesting : public testing::Test {
 protected:
  /// Does what the second process does, on the host's memory.
  PeerAnswer open(const std::string& handle) const {
    const auto other = make_host_device();
    const DeviceMemory memory = other->open_shared(handle);
    auto* word = static_cast<std::uint64_t*>(memory.get());
    const PeerAnswer answer{"", *word};
    *word = ~*word;
    return answer;
  }

  SelfTest run() {
    return run_self_test(device, before, peer, [this] { return device.now(); });
  }
  /// Names of the checks that failed.
  std::vector<std::string> failed() {
    std::vector<std::string> names;
    for (const SelfTestCheck& check : run().checks) {
      if (check.outcome != Outcome::failed) continue;
      EXPECT_FALSE(check.reason.empty()) << check.name;
      names.push_back(check.name);
    }
    return names;
  }
  static SelfTestCheck named(const SelfTest& result, const std::string& name) {
    const auto found = std::find_if(result.checks.begin(), result.checks.end(),
                                    [&](const SelfTestCheck& check) { return check.name == name; });
    EXPECT_NE(found, result.checks.end()) << name;
    return found == result.checks.end() ? SelfTestCheck{} : *found;
  }

  /// Of the device as host: those of a GPU that fit.
  SelfTest run_on_cpu() {
    device.facts_.kind = DeviceKind::host;
    device.facts_.processors = 40;
    return run();
  }

  test::SimulatedDevice device;
  Telemetry before = [] {
    Telemetry quiet;
    quiet.other_compute_processes = 0;
    quiet.load_average = 0.1;
    return quiet;
  }();
  SharingPeer peer = [this](const std::string& handle) { return open(handle); };
};

using Names = std::vector<std::string>;

TEST_F(SelfTesting, TrustsASoundDevice) {
  const SelfTest result = run();
  EXPECT_EQ(result.failure(), nullptr);
  EXPECT_EQ(result.device.name, "simulated");
  for (const SelfTestCheck& check : result.checks)
    EXPECT_EQ(check.outcome, Outcome::ok) << check.name;
  EXPECT_NEAR(named(result, "event_floor").measured.value(), 2.8, 1e-9);
  EXPECT_NEAR(named(result, "null_kernel_ungated_median").measured.value(), 7.8, 1e-9);
  EXPECT_NEAR(named(result, "spin_20_us").measured.value(), 20.0, 1e-9);
  EXPECT_NEAR(named(result, "emptied_of_cold").measured.value(), 100.0, 1e-9);
  EXPECT_NEAR(named(result, "warm_of_cold").measured.value(), 40.0, 1.0);
}

TEST_F(SelfTesting, NamesEveryCheckOnce) {
  Names names;
  for (const SelfTestCheck& check : run().checks) names.push_back(check.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST_F(SelfTesting, FindsAClockThatDoesNotTellTrueTimes) {
  device.spin_rate = 1.02;
  EXPECT_EQ(failed(), (Names{"spin_100_us", "spin_1000_us"}));
  device.spin_rate = 0.9;
  EXPECT_EQ(failed(), (Names{"spin_20_us", "spin_100_us", "spin_1000_us"}));
}

TEST_F(SelfTesting, FindsAClockThatTheHostDoesNotShare) {
  device.host_rate = 1.02;
  EXPECT_EQ(failed(), Names{"host_of_device_time"});
  device.host_rate = 0.98;
  EXPECT_EQ(failed(), Names{"host_of_device_time"});
}

TEST_F(SelfTesting, FindsACoarseClockOfTheHost) {
  device.clock_step = std::chrono::microseconds(10);
  EXPECT_EQ(failed(), Names{"host_clock_step"});
}

TEST_F(SelfTesting, FindsAClockOfTheHostThatStepsBack) {
  int reads = 0;
  const SelfTest result = run_self_test(device, before, peer, [&] {
    return device.now() - std::chrono::microseconds(++reads == 100 ? 50 : 0);
  });
  ASSERT_NE(result.failure(), nullptr);
  EXPECT_EQ(result.failure()->name, "host_clock_back");
  EXPECT_EQ(result.failure()->measured, 1.0);
}

TEST_F(SelfTesting, FindsOthersOnTheGpu) {
  before.load_average = 100.0;  // the gate keeps the host out
  EXPECT_EQ(failed(), Names{});
  before.other_compute_processes = 1;
  EXPECT_EQ(failed(), Names{"other_processes"});
  before.other_compute_processes.reset();
  EXPECT_EQ(failed(), Names{});
  EXPECT_EQ(named(run(), "other_processes").outcome, Outcome::not_available);
}

TEST_F(SelfTesting, FindsABusyCpu) {
  before.load_average = 2.0;  // a twentieth of its logical CPUs
  EXPECT_EQ(run_on_cpu().failure(), nullptr);
  before.load_average = 2.1;
  const SelfTest result = run_on_cpu();
  ASSERT_NE(result.failure(), nullptr);
  EXPECT_EQ(result.failure()->name, "load_average");
  EXPECT_THAT(result.failure()->reason, HasSubstr("busy"));
  before.load_average.reset();
  EXPECT_EQ(named(run_on_cpu(), "load_average").outcome, Outcome::not_available);
}

TEST_F(SelfTesting, FindsThatOthersTakeTheCpuAway) {
  device.facts_.kind = DeviceKind::host;
  std::uint64_t reads = 0;
  // 4 ms every 100 000 readings of 20 ns, that is of 20 spins.
  const SelfTest result = run_self_test(device, before, peer, [&] {
    return device.now() + std::chrono::milliseconds(4) * (++reads / 100'000);
  });
  EXPECT_EQ(named(result, "host_spin_p99").outcome, Outcome::failed);
}

TEST_F(SelfTesting, SpeaksOfAGpuOnlyWhereThereIsOne) {
  for (const SelfTestCheck& check : run_on_cpu().checks) {
    EXPECT_EQ(check.what.find("kernel"), std::string::npos) << check.what;
    EXPECT_EQ(check.what.find("GPU"), std::string::npos) << check.what;
  }
}

TEST_F(SelfTesting, FindsWorkBetweenTheEvents) {
  device.pair_us = 6.0;
  EXPECT_EQ(failed(), (Names{"empty_pair", "empty_pair_after_flush", "event_floor"}));
}

TEST_F(SelfTesting, FindsAGateThatLetsTheHostIn) {
  device.jitter_us = 3.0;
  EXPECT_THAT(failed(), testing::Contains("gated_spread"));
}

TEST_F(SelfTesting, FindsAFlushInsideTheTime) {
  device.flush_leak_us = 40.0;
  EXPECT_THAT(failed(), testing::Contains("empty_pair_after_flush"));
}

TEST_F(SelfTesting, FindsAFlushThatEmptiesNothing) {
  device.empties = false;
  EXPECT_EQ(failed(), Names{"emptied_of_cold"});
}

TEST_F(SelfTesting, TakesNoFlushForProvenWhereTheCacheMakesNoDifference) {
  device.warm_walk_us = 245.0;
  EXPECT_EQ(failed(), Names{"warm_of_cold"});
  device.facts_.kind = DeviceKind::host;
  EXPECT_EQ(failed(), Names{});
  EXPECT_EQ(named(run(), "warm_of_cold").outcome, Outcome::not_available);
}

TEST_F(SelfTesting, SaysWhatADeviceWithoutAGateLacks) {
  device.gate = false;
  const SelfTestCheck spread = named(run(), "gated_spread");
  EXPECT_EQ(spread.outcome, Outcome::not_available);
  EXPECT_FALSE(spread.measured.has_value());
  EXPECT_THAT(spread.reason, HasSubstr("no gate"));
}

TEST_F(SelfTesting, DoesWithoutACeilingThatCannotBeMeasured) {
  device.ceilings = {4000.0, std::nullopt, "no cuBLASLt"};
  const SelfTest result = run();
  EXPECT_EQ(result.failure(), nullptr);
  EXPECT_EQ(named(result, "read_ceiling").measured, 4000.0);
  EXPECT_EQ(named(result, "matrix_ceiling").outcome, Outcome::not_available);
  EXPECT_EQ(named(result, "matrix_ceiling").reason, "no cuBLASLt");
}

TEST_F(SelfTesting, DoesWithoutSharingWhereItIsRefused) {
  device.share = [](Device&, Bytes) -> SharedMemory { throw DeviceError("not here", false); };
  EXPECT_EQ(named(run(), "shared_memory").reason, "not here");
  device.share = test::SimulatedDevice().share;
  peer = [](const std::string&) { return PeerAnswer{"no such handle", 0}; };
  const SelfTest result = run();
  EXPECT_EQ(result.failure(), nullptr);
  EXPECT_EQ(named(result, "shared_memory").outcome, Outcome::not_available);
  EXPECT_EQ(named(result, "shared_memory").reason, "no such handle");
}

TEST_F(SelfTesting, FindsSharedMemoryThatIsNotShared) {
  peer = [](const std::string&) { return PeerAnswer{"", 12345}; };
  EXPECT_EQ(failed(), Names{"shared_memory"});
  peer = [this](const std::string& handle) {  // reads, but what it writes is lost
    PeerAnswer answer = open(handle);
    (void)open(handle);
    return answer;
  };
  EXPECT_EQ(failed(), Names{"shared_memory"});
}

TEST_F(SelfTesting, LetsThroughThatTheDeviceIsLost) {
  device.share = [](Device&, Bytes) -> SharedMemory { throw DeviceError("gone", true); };
  EXPECT_THROW((void)run(), DeviceError);
}

}  // namespace
}  // namespace fa2bench
