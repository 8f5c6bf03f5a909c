// SPDX-License-Identifier: MIT
#include "compare/verdict.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "compare/looks.hpp"
#include "compare/outcome.hpp"

namespace fa2bench {
namespace {

Comparison row_of(double ratio, double half_width, double p_value) {
  Comparison row;
  row.workload = "decode";
  row.baseline = "old";
  row.candidate = "new";
  row.ratio = ratio;
  row.interval = Interval{ratio - half_width, ratio + half_width};
  row.p_value = p_value;
  return row;
}

TEST(Verdict, IsSlowerBeyondTheEffectAndChance) {
  std::vector<Comparison> rows{row_of(1.02, 0.005, 1e-4)};
  judge(rows, {});
  EXPECT_EQ(rows[0].verdict, Verdict::slower);
}

}  // namespace
}  // namespace fa2bench
