// SPDX-License-Identifier: MIT
#include "output/plan_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "result/sample_report.hpp"

namespace fa2bench {
namespace {

std::vector<PlannedWorkload> two_planned() {
  std::vector<PlannedWorkload> planned;
  for (const char* name : {"decode", "préfill"}) {
    const WorkloadResult sample = test::sample_workload(name);
    planned.push_back({sample.workload, sample.plan, mib(3)});
  }
  planned[1].plan.cost.flops = 1.5e12;
  planned[1].plan.memory.k_pool = kib(40);
  planned[1].plan.memory.host = Bytes{100};
  planned[1].workload.stated_max_kv_len = 5;
  planned[1].workload.gates = {{"cold_us_max", 2.5}};
  return planned;
}

TEST(PlanTable, IsTheGoldenFile) {
  std::ifstream file(FA2BENCH_SOURCE_DIR "/tests/output/golden/plan.txt", std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(plan_table(two_planned()), golden);
}

TEST(PlanTable, ShowsADashForTheIntensityOfABatchWithNothingToDo) {
  std::vector<PlannedWorkload> planned = two_planned();
  for (PlannedWorkload& entry : planned) entry.plan.cost = {};
  const std::string text = plan_table(planned);
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(text.find("0 B       -"), std::string::npos) << text;
}

TEST(PlanJson, GivesEveryNumberOfThePlan) {
  const auto json = nlohmann::json::parse(plan_json(two_planned()));
  EXPECT_EQ(json["schema"], "ferrum-fa2-bench/plan/v1");
  ASSERT_EQ(json["workloads"].size(), 2U);
  const nlohmann::json expected = {{"name", "préfill"},
                                   {"id", "00112233445566ff"},
                                   {"num_heads", 4},
                                   {"num_kv_heads", 2},
                                   {"head_dim", 128},
                                   {"block_size", 16},
                                   {"num_seqs", 2},
                                   {"total_q_tokens", 2},
                                   {"total_kv_tokens", 8},
                                   {"max_q_len", 1},
                                   {"max_kv_len", 5},
                                   {"stated_max_q_len", nullptr},
                                   {"stated_max_kv_len", 5},
                                   {"max_blocks_per_seq", 3},
                                   {"live_blocks", 2},
                                   {"num_blocks", 10},
                                   {"layers", 2},
                                   {"require", {{"cold_us_max", 2.5}}},
                                   {"flops", 1.5e12},
                                   {"bytes_unique", 20480},
                                   {"bytes_logical", 20480},
                                   {"pool_bytes", 81920},
                                   {"device_memory_bytes", 3145728},
                                   {"host_memory_bytes", 100}};
  EXPECT_EQ(json["workloads"][1], expected);
}

TEST(PlanJson, OfNoWorkloadsIsAnEmptyList) {
  EXPECT_EQ(plan_json({}),
            "{\n  \"schema\": \"ferrum-fa2-bench/plan/v1\",\n  \"workloads\": []\n}\n");
}

}  // namespace
}  // namespace fa2bench
