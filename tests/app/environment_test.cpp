// SPDX-License-Identifier: MIT
#include "app/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fa2bench {
namespace {

TEST(FileWord, IsLowerCaseWithDashesBetweenWords) {
  EXPECT_EQ(file_word("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(file_word("AMD EPYC 9654 96-Core"), "amd-epyc-9654-96-core");
}

TEST(FileWord, KeepsDotsAndUnderscores) { EXPECT_EQ(file_word("a_b.c"), "a_b.c"); }

TEST(FileWord, HasNoDashAtItsEndsAndNeverTwo) {
  EXPECT_EQ(file_word("  (R) Core//TM  "), "r-core-tm");
}

TEST(FileWord, HoldsNothingThatIsAPath) {
  EXPECT_EQ(file_word("GPU µ/../x"), "gpu-..-x");
  EXPECT_EQ(file_word("é"), "");
}

TEST(CompactTime, DropsDashesAndColons) {
  EXPECT_EQ(compact_time("2026-11-30T11:02:04Z"), "20261130T110204Z");
}

TEST(UtcNow, IsAnIso8601TimeInSeconds) {
  EXPECT_THAT(utc_now(), testing::MatchesRegex("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T"
                                               "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z"));
}

TEST(HostEnvironment, KnowsTheMachine) {
  const HostFacts host = host_environment();
  EXPECT_THAT(host.kernel, testing::StartsWith("Linux "));
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_GE(host.logical_cpus, 1);
  EXPECT_GT(host.memory, mib(1));
  EXPECT_GE(host.load_average.value_or(-1.0), 0.0);
}

}  // namespace
}  // namespace fa2bench
