// SPDX-License-Identifier: MIT
// What a child printed: kept whole, though it ended while nobody looked.
#include <gtest/gtest.h>

#include <string>

#include "worker/process_support.hpp"

namespace fa2bench {
namespace {

using test::Shell;

/// All that a script printed, after its end.
std::string output_of(const std::string& script) {
  Shell child(script);
  EXPECT_EQ(child.ended(), "ended the process with exit code 0");
  child.kill();
  return child.output();
}

TEST(ChildOutput, IsStdoutAndStderrInTheirOrder) {
  EXPECT_EQ(output_of("echo one; echo two >&2; echo three"), "one\ntwo\nthree\n");
}

TEST(ChildOutput, IsEmptyIfNothingWasPrinted) { EXPECT_EQ(output_of(":"), ""); }

TEST(ChildOutput, KeepsBytesThatAreNoText) {
  EXPECT_EQ(output_of(R"(printf '\000\377\033[31m\r\n\000')"),
            std::string("\0\xFF\x1B[31m\r\n\0", 10));
}

TEST(ChildOutput, IsTheLast64KiB) {
  const std::string kept = output_of("head -c 200000 /dev/zero | tr '\\0' a; printf END");
  ASSERT_EQ(kept.size(), kKeptOutputBytes);
  EXPECT_EQ(kept, std::string(kKeptOutputBytes - 3, 'a') + "END");
}

TEST(ChildOutput, IsKeptWholeAtTheLimit) {
  EXPECT_EQ(output_of("head -c 65536 /dev/zero"), std::string(kKeptOutputBytes, '\0'));
}

// The last words of a crash are the ones that matter, and they come just before the end.
TEST(ChildOutput, HasTheLastWordsOfAChildThatEndsAtOnce) {
  for (int i = 0; i < 200; ++i) {
    Shell child("echo last words; kill -KILL $$");
    EXPECT_EQ(child.ended(), "was killed by SIGKILL (Killed)");
    child.kill();
    ASSERT_EQ(child.output(), "last words\n") << "start " << i;
  }
}

TEST(ChildOutput, OfAKilledChildIsKept) {
  Shell child("echo before the kill; tell 1; while :; do :; done");
  EXPECT_EQ(child.told(), "00000001");
  child.kill();
  EXPECT_EQ(child.output(), "before the kill\n");
}

TEST(ChildOutput, DoesNotHoldUpAChildThatPrintsMuch) {
  EXPECT_EQ(output_of("head -c 20000000 /dev/zero").size(), kKeptOutputBytes);
}

}  // namespace
}  // namespace fa2bench
