// SPDX-License-Identifier: MIT
// Needs no device: what the other tests are fed with.
#include "gpu/random_workload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "workload/config_text.hpp"
#include "workload/plan.hpp"

namespace fa2bench::test {
namespace {

TEST(RandomWorkload, IsAlwaysAValidConfigAndCoversEveryKind) {
  std::set<int> groups;
  std::set<TableLayout> layouts;
  std::set<UnusedEntries> policies;
  std::int32_t longest = 0;
  bool decode = false;
  bool prefill = false;
  bool shared = false;
  bool wide = false;
  int with_empty_rows = 0;  // and with rows that see a key
  bool only_empty_rows = false;
  bool nothing = false;
  bool idle_sequence = false;
  for (std::uint64_t seed = 0; seed < kRandomWorkloads; ++seed) {
    const std::string json = random_workload(seed);
    ASSERT_EQ(complaint(config_of(json)), "") << json;
    const Workload workload = read_one(json);
    groups.insert(workload.shape.group());
    layouts.insert(workload.table.layout);
    policies.insert(workload.table.unused);
    const auto longest_q = *std::max_element(workload.q_lens.begin(), workload.q_lens.end());
    longest =
        std::max(longest, *std::max_element(workload.kv_lens.begin(), workload.kv_lens.end()));
    decode = decode || longest_q == 1;
    prefill = prefill || longest_q > 128;
    shared = shared || workload.prefix.tokens > 0;
    wide = wide || workload.table.width >= 4000;
    const Plan plan = make_plan(workload);
    with_empty_rows += plan.empty_rows > 0 && plan.cost.visible_pairs > 0 ? 1 : 0;
    only_empty_rows = only_empty_rows || (plan.empty_rows > 0 && plan.cost.visible_pairs == 0);
    nothing = nothing || nothing_to_do(plan);
    const auto shortest_q = *std::min_element(workload.q_lens.begin(), workload.q_lens.end());
    idle_sequence = idle_sequence || (shortest_q == 0 && plan.cost.visible_pairs > 0);
  }
  EXPECT_EQ(groups.size(), 16U);
  EXPECT_EQ(layouts.size(), 5U);
  EXPECT_EQ(policies.size(), 5U);
  EXPECT_GT(longest, 2900);
  EXPECT_TRUE(decode && prefill && shared && wide);
  EXPECT_GT(with_empty_rows, 30);
  EXPECT_TRUE(only_empty_rows && nothing && idle_sequence);
}

}  // namespace
}  // namespace fa2bench::test
