// SPDX-License-Identifier: MIT
#include "base/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace fa2bench {
namespace {

TEST(Bytes, AddMultiplyAndCompare) {
  EXPECT_EQ(kib(2) + Bytes{1}, Bytes{2049});
  EXPECT_EQ(mib(3) * 2, Bytes{6291456});
  EXPECT_LT(kib(1), mib(1));
  Bytes sum{1};
  sum += kib(1);
  EXPECT_EQ(sum, Bytes{1025});
}

TEST(Bytes, ReadWithAFittingUnit) {
  EXPECT_EQ(to_text(Bytes{0}), "0 B");
  EXPECT_EQ(to_text(Bytes{1023}), "1023 B");
  EXPECT_EQ(to_text(kib(1)), "1.00 KiB");
  EXPECT_EQ(to_text(Bytes{1536}), "1.50 KiB");
  EXPECT_EQ(to_text(mib(32)), "32.0 MiB");
  EXPECT_EQ(to_text(mib(320)), "320 MiB");
  EXPECT_EQ(to_text(mib(64ULL << 10U)), "64.0 GiB");
  EXPECT_EQ(to_text(Bytes{1ULL << 40U}), "1.00 TiB");
  EXPECT_EQ(to_text(Bytes{UINT64_MAX}), "16384 PiB");
}

TEST(Microseconds, ReadWithFourDigitsAndAFittingUnit) {
  EXPECT_EQ(to_text(Microseconds(0)), "0.000 µs");
  EXPECT_EQ(to_text(Microseconds(7.3684)), "7.368 µs");
  EXPECT_EQ(to_text(Microseconds(26.409)), "26.41 µs");
  EXPECT_EQ(to_text(Microseconds(736.84)), "736.8 µs");
  EXPECT_EQ(to_text(Microseconds(7368.4)), "7.368 ms");
  EXPECT_EQ(to_text(Microseconds(1204000)), "1.204 s");
  EXPECT_EQ(to_text(Microseconds(12345e6)), "12345 s");
}

TEST(Microseconds, KeepFourDigitsWhereRoundingAddsOne) {
  EXPECT_EQ(to_text(Microseconds(9.9996)), "10.00 µs");
  EXPECT_EQ(to_text(Microseconds(99.996)), "100.0 µs");
  EXPECT_EQ(to_text(Microseconds(999.96)), "1000 µs");
}

TEST(Microseconds, ReadADifferenceWithItsSign) {
  EXPECT_EQ(to_text(Microseconds(-26.409)), "-26.41 µs");
  EXPECT_EQ(to_text(Microseconds(-7368.4)), "-7.368 ms");
}

TEST(Microseconds, ReadAsADashWhenNotFinite) {
  EXPECT_EQ(to_text(Microseconds(std::numeric_limits<double>::quiet_NaN())), "-");
  EXPECT_EQ(to_text(Microseconds(std::numeric_limits<double>::infinity())), "-");
}

TEST(Seconds, ConvertToMicroseconds) { EXPECT_EQ(Microseconds(Seconds(2)).count(), 2e6); }

}  // namespace
}  // namespace fa2bench
