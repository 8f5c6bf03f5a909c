// SPDX-License-Identifier: MIT
#include "stats/student.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace fa2bench {
namespace {

TEST(Student, HasTheValuesOfThePrintedTables) {
  EXPECT_NEAR(student_reach(1.0, 0.95), 12.7062, 1e-4);
  EXPECT_NEAR(student_reach(6.0, 0.99), 3.70743, 1e-5);
  EXPECT_NEAR(student_both_tails(6.0, 3.70743), 0.01, 1e-7);
  EXPECT_EQ(student_both_tails(6.0, 0.0), 1.0);
}

TEST(Student, KeepsSmallTailsApart) {
  // 1 minus these would be 0.
  EXPECT_GT(student_both_tails(78.0, 30.0), 0.0);
  EXPECT_LT(student_both_tails(78.0, 31.0), student_both_tails(78.0, 30.0));
  EXPECT_EQ(student_both_tails(6.0, std::numeric_limits<double>::infinity()), 0.0);
}

}  // namespace
}  // namespace fa2bench
