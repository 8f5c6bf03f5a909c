// SPDX-License-Identifier: MIT
#include "workload/config.hpp"

#include <gtest/gtest.h>

#include "workload/config_text.hpp"
#include "workload/presets.hpp"

namespace fa2bench {
namespace {

TEST(Config, ReadsTheExampleOfTheDesign) {
  const auto workloads = read_text(R"({"schema": "ferrum-fa2-bench/config/v1",
    "defaults": {"model": "qwen3-30b-a3b", "block_table": {"layout": "shuffled"}, "seed": 1},
    "workloads": [
      {"name": "decode 32x4096",  "batch": [{"count": 32, "q": 1, "kv": 4096}]},
      {"name": "mixed",           "batch": "2q1k_32q1s1k"},
      {"name": "ragged",          "q_lens": [1, 1, 7], "kv_lens": [100, 20, 7], "num_heads": 28, "num_kv_heads": 4},
      {"name": "decode {b}x{kv}", "batch": [{"count": "{b}", "q": 1, "kv": "{kv}"}],
       "sweep": {"b": [1, 8, 64], "kv": [512, 4096]}}]})");
  ASSERT_EQ(workloads.size(), 9U);
  EXPECT_EQ(workloads[0].name, "decode 32x4096");
  EXPECT_EQ(workloads[0].shape.num_heads, 32);
  EXPECT_EQ(workloads[0].shape.num_kv_heads, 4);
  EXPECT_EQ(workloads[1].q_lens.size(), 34U);
  EXPECT_EQ(workloads[2].shape.group(), 7);
  EXPECT_EQ(workloads[8].name, "decode 64x4096");
  EXPECT_EQ(workloads[8].id.size(), 16U);
}

TEST(Config, HasDefaultsForWhatIsLeftOut) {
  const Workload workload = read_one(R"({"batch": "q3s40"})");
  EXPECT_EQ(workload.name, "q3s40");
  EXPECT_EQ(workload.shape.head_dim, 128);
  EXPECT_EQ(workload.shape.block_size, 16);
  EXPECT_EQ(workload.table.layout, TableLayout::shuffled);
  EXPECT_EQ(workload.table.unused, UnusedEntries::minus_one);
  EXPECT_EQ(workload.seed, 1U);
  EXPECT_FALSE(workload.stated_max_q_len.has_value());
}

TEST(Config, KnowsTheHeadsOfItsModels) {
  for (const ModelPreset& preset : kModelPresets) {
    const Workload workload =
        read_one(std::string(R"({"batch": "q1", "model": ")") + preset.name + "\"}");
    EXPECT_EQ(workload.shape.num_heads, preset.num_heads) << preset.name;
    EXPECT_EQ(workload.shape.num_kv_heads, preset.num_kv_heads) << preset.name;
    EXPECT_EQ(workload.shape.head_dim, 128) << preset.name;
    EXPECT_EQ(preset.num_heads % preset.num_kv_heads, 0) << preset.name;
  }
}

TEST(Config, LetsHeadCountsOutweighTheModelBesideThem) {
  const Workload workload =
      read_one(R"({"num_heads": 24, "model": "llama-3.1-8b", "batch": "q1"})");
  EXPECT_EQ(workload.shape.num_heads, 24);
  EXPECT_EQ(workload.shape.num_kv_heads, 8);
}

TEST(Config, LetsAModelOutweighHeadCountsOfTheDefaults) {
  const Workload workload = read_one(R"({"model": "qwen2.5-14b", "batch": "q1"})");
  EXPECT_EQ(workload.shape.num_heads, 40);
  EXPECT_EQ(workload.shape.num_kv_heads, 8);
}

TEST(Config, MergesTheBlockTableKeyByKey) {
  const auto workloads = read_text(R"({"schema": "ferrum-fa2-bench/config/v1",
    "defaults": {"num_heads": 2, "num_kv_heads": 2,
                 "block_table": {"layout": "aged", "unused": "int_max", "width": 9},
                 "shared_prefix": {"tokens": 16, "groups": 2}},
    "workloads": [
      {"name": "a", "batch": "3q1s40", "block_table": {"unused": "live_block"}},
      {"name": "b", "batch": "3q1s40", "shared_prefix": {"tokens": 0},
       "block_table": {"rows": [[0, 1, 2], [3, 4, 5], [6, 7, 8]]}},
      {"name": "c", "batch": "3q1s40", "shared_prefix": {"groups": 3}}]})");
  EXPECT_EQ(workloads[0].table.layout, TableLayout::aged);
  EXPECT_EQ(workloads[0].table.unused, UnusedEntries::live_block);
  EXPECT_EQ(workloads[0].table.width, 9);
  EXPECT_EQ(workloads[0].prefix.groups, 2);
  EXPECT_EQ(workloads[1].table.layout, TableLayout::rows);
  EXPECT_EQ(workloads[1].table.unused, UnusedEntries::int_max);
  EXPECT_EQ(workloads[1].prefix.tokens, 0);
  EXPECT_EQ(workloads[2].prefix.tokens, 16);
  EXPECT_EQ(workloads[2].prefix.groups, 3);
}

TEST(Config, AllowsNotesAnywhere) {
  EXPECT_EQ(complaint(R"({"schema": "ferrum-fa2-bench/config/v1", "_a": 1, "description": "d",
    "defaults": {"_b": {"_c": []}, "num_heads": 2, "num_kv_heads": 1},
    "workloads": [{"_d": null, "batch": [{"_e": 1, "q": 1, "kv": 1}],
                   "block_table": {"_f": 1, "layout": "aged"}, "shared_prefix": {"_g": 2}}]})"),
            "");
}

TEST(Config, AcceptsAByteOrderMarkAndCrLf) {
  std::string text = "\xEF\xBB\xBF" + config_of(R"({"batch": "q1"})");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  EXPECT_EQ(read_text(text).size(), 1U);
}

TEST(Config, TakesASeedOf64BitsAsNumberOrDigits) {
  EXPECT_EQ(read_one(R"({"batch": "q1", "seed": 18446744073709551615})").seed, UINT64_MAX);
  EXPECT_EQ(read_one(R"({"batch": "q1", "seed": "18446744073709551615"})").seed, UINT64_MAX);
}

TEST(Config, LetsTheCommandLineReplaceEverySeed) {
  const JsonDocument document =
      parse_json("c.json", config_of(R"({"batch": "q1", "seed": 5}, {"batch": "q2"})"));
  const auto own = read_config(document);
  const auto replaced = read_config(document, 77);
  for (const Workload& workload : replaced) EXPECT_EQ(workload.seed, 77U);
  EXPECT_NE(own[0].id, replaced[0].id);
}

TEST(Config, TakesMaximaThatAreTrueOrTooHigh) {
  const Workload workload =
      read_one(R"({"batch": "q4s9_q2s30", "max_q_len": 4, "max_kv_len": 120})");
  EXPECT_EQ(workload.stated_max_q_len, 4);
  EXPECT_EQ(workload.stated_max_kv_len, 120);
}

TEST(Config, LetsRowsHoldAnythingPastTheLiveColumns) {
  const Workload workload =
      read_one(R"({"batch": "q1s17", "block_table": {"rows": [[3, 0, -1, 2147483647, 99]]}})");
  EXPECT_EQ(workload.table.rows[0].size(), 5U);
}

TEST(Config, MergesDemandsWithThoseOfTheDefaultsKeyByKey) {
  const auto workloads = read_text(R"({"schema": "ferrum-fa2-bench/config/v1",
    "defaults": {"num_heads": 2, "num_kv_heads": 1, "require": {"warm_us_max": 9, "cold_us_max": 10}},
    "workloads": [
      {"batch": "q1"},
      {"batch": "q2", "require": {"cold_us_max": 2.5, "speed_of_light_min": 0.5}},
      {"batch": "q3", "require": {"cold_us_max": null, "warm_us_max": null, "_note": "free"}},
      {"name": "s{m}", "batch": "q{m}", "require": {"cold_us_max": "{m}"}, "sweep": {"m": [7]}}]})");
  const auto gates = [](const Workload& workload) {
    std::string text;
    for (const Gate& gate : workload.gates)
      text += gate.key + " " + std::to_string(gate.bound) + "; ";
    return text;
  };
  EXPECT_EQ(gates(workloads[0]), "cold_us_max 10.000000; warm_us_max 9.000000; ");
  EXPECT_EQ(gates(workloads[1]),
            "cold_us_max 2.500000; warm_us_max 9.000000; speed_of_light_min 0.500000; ");
  EXPECT_EQ(gates(workloads[2]), "");
  EXPECT_EQ(gates(workloads[3]), "cold_us_max 7.000000; warm_us_max 9.000000; ");
}

}  // namespace
}  // namespace fa2bench
