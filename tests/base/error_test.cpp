// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fa2bench {
namespace {

TEST(ExitCode, IsFixed) {
  EXPECT_EQ(static_cast<int>(ExitCode::ok), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::internal), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::usage), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::environment), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::failed), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::wrong), 5);
  EXPECT_EQ(static_cast<int>(ExitCode::slower), 6);
  EXPECT_EQ(static_cast<int>(ExitCode::inconclusive), 7);
}

TEST(ExitCode, FollowsFromTheKindOfError) {
  EXPECT_EQ(exit_code(ErrorKind::internal), ExitCode::internal);
  EXPECT_EQ(exit_code(ErrorKind::usage), ExitCode::usage);
  EXPECT_EQ(exit_code(ErrorKind::environment), ExitCode::environment);
}

TEST(Error, KeepsItsKindAndText) {
  const Error error(ErrorKind::environment, "no device");
  EXPECT_EQ(error.kind(), ErrorKind::environment);
  EXPECT_STREQ(error.what(), "no device");
}

}  // namespace
}  // namespace fa2bench
