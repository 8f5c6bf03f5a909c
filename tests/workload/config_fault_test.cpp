// SPDX-License-Identifier: MIT
// What the reader says about configs that are wrong, word for word. The files in bad/ hold the
// message as the note "_error"; schema_test.py sees to it that the JSON Schema refuses them too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/config_text.hpp"
#include "workload/plan.hpp"

namespace fa2bench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(BadConfigs, AreRefusedWithTheMessageTheyHold) {
  const auto files = json_files("tests/workload/bad");
  ASSERT_GE(files.size(), 20U);
  for (const auto& path : files) {
    JsonDocument document = load_json(path);
    document.name = path.filename().string();
    const auto error = JsonReader(document).find("_error");
    ASSERT_TRUE(error) << path;
    try {
      read_config(document);
      ADD_FAILURE() << path << " is accepted";
    } catch (const Error& fault) {
      EXPECT_EQ(fault.what(), error->text()) << path;
      EXPECT_EQ(fault.kind(), ErrorKind::usage);
    }
  }
}

TEST(GoodConfigs, AreReadAndPlanned) {
  const auto files = json_files("tests/workload/good");
  ASSERT_GE(files.size(), 2U);
  for (const auto& path : files) {
    for (const Workload& workload : read_config(load_json(path))) {
      const Plan plan = make_plan(workload);
      EXPECT_EQ(plan.cost.flops > 0.0, plan.total_q_tokens > plan.empty_rows)
          << path << " " << workload.name;
    }
  }
}

TEST(ConfigFault, NamesARepeatedWorkload) {
  EXPECT_EQ(fault_in(R"({"name": "a", "batch": "q1"}, {"name": "a", "batch": "q2"})"),
            "workloads[1].name: found the name \"a\", which workloads[0] has; expected a name of "
            "its own");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "num_heads": 2}, {"batch": "q1"})"),
            "workloads[1]: found the name \"q1\", which workloads[0] has; expected a name of its "
            "own");
  EXPECT_EQ(fault_in(R"({"batch": "q{a}", "sweep": {"a": [1, 1]}})"),
            "workloads[0](a=1): found the name \"q1\", which workloads[0](a=1) has; expected a "
            "name of its own");
}

TEST(ConfigFault, NamesASweepThatMeasuresTheSameAgain) {
  const std::string tail =
      "; expected axes that change more than the name (\"seed\": \"{axis}\" is a change)";
  EXPECT_EQ(fault_in(R"({"name": "n {n}", "batch": "q1", "sweep": {"n": [0, 1]}})"),
            "workloads[0](n=1): found \"n 1\", which is \"n 0\" of workloads[0](n=0) under another "
            "name" +
                tail);
  EXPECT_EQ(fault_in(R"({"batch": "{b}", "sweep": {"b": ["q1", "q2", "1q1s1"], "n": [7]},
                         "name": "{b} {n}"})"),
            "workloads[0](b=1q1s1, n=7): found \"1q1s1 7\", which is \"q1 7\" of "
            "workloads[0](b=q1, n=7) under another name" +
                tail);
}

TEST(ConfigFault, IsNoneWhereTwoWorkloadsOfAFileAreTheSame) {
  EXPECT_EQ(complaint(config_of(R"({"name": "a", "batch": "q1"}, {"name": "b", "batch": "q1"})")),
            "");
}

// A seed from outside makes the points of a sweep over seeds the same: that is what was asked for.
TEST(ConfigFault, IsNoneWhereTheCommandLineReplacesTheSeedsOfASweep) {
  const auto points =
      read_config(parse_json("c.json", config_of(R"({"name": "s {s}", "batch": "q1", "seed": "{s}",
                                         "sweep": {"s": [1, 2]}})")),
                  9);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].id, points[1].id);
}

TEST(ConfigFault, NamesABadName) {
  EXPECT_EQ(fault_in(R"({"name": "a\nb", "batch": "q1"})"),
            "workloads[0].name: found the name \"a\\nb\"; expected 1 … 200 bytes without control "
            "characters");
}

// Case 13: heads that do not divide.
TEST(ConfigFault, NamesHeadsThatDoNotDivide) {
  const std::string tail = "; expected num_heads to be a multiple of num_kv_heads";
  EXPECT_EQ(fault_in(R"({"batch": "q1", "num_heads": 33, "num_kv_heads": 2})"),
            "workloads[0].num_heads: found num_heads = 33 with num_kv_heads = 2" + tail);
  EXPECT_EQ(fault_in(R"({"batch": "q1", "num_heads": 3})"),
            "workloads[0].num_heads: found num_heads = 3 with num_kv_heads = 2" + tail);
  EXPECT_EQ(fault_in(R"({"batch": "q1", "num_heads": 2, "num_kv_heads": 4})"),
            "workloads[0].num_heads: found num_heads = 2 with num_kv_heads = 4" + tail);
  EXPECT_EQ(fault_in(R"({"batch": "q1", "model": "llama-3.1-8b", "num_kv_heads": 5})"),
            "workloads[0].num_kv_heads: found num_heads = 32 with num_kv_heads = 5" + tail);
}

TEST(ConfigFault, ListsTheModelsWhereThereAreNoHeads) {
  EXPECT_EQ(
      complaint(R"({"schema": "ferrum-fa2-bench/config/v1", "workloads": [{"batch": "q1"}]})"),
      "c.json:1: workloads[0]: found neither \"model\" nor \"num_heads\"; expected num_heads and "
      "num_kv_heads, or a model: one of llama-3.1-8b, llama-3.1-70b, llama-3.1-70b-tp2, "
      "llama-3.1-70b-tp4, llama-3.1-70b-tp8, qwen3-30b-a3b, qwen2.5-7b, qwen2.5-14b");
  EXPECT_EQ(complaint(R"({"schema": "ferrum-fa2-bench/config/v1",
                          "workloads": [{"batch": "q1", "num_heads": 4}]})"),
            "c.json:2: workloads[0]: found \"num_heads\" without \"num_kv_heads\"; expected both, "
            "or a model");
}

// Case 8: stated maxima.
TEST(ConfigFault, NamesMaximaThatAreTooSmall) {
  EXPECT_EQ(fault_in(R"({"batch": "q1s20_q4s9", "max_q_len": 3})"),
            "workloads[0].max_q_len: found 3; expected at least 4, the q_len of sequence 1");
  EXPECT_EQ(fault_in(R"({"batch": "q1s20_q4s9", "max_kv_len": 19})"),
            "workloads[0].max_kv_len: found 19; expected at least 20, the kv_len of sequence 0");
}

// Case 5: ids and widths.
TEST(ConfigFault, NamesTheSequenceAndColumnOfABadBlockId) {
  const auto rows = [](const std::string& table) {
    return fault_in(R"({"batch": "q1s16_q1s40", "block_table": {)" + table + "}}");
  };
  EXPECT_EQ(rows(R"("rows": [[0], [1, 2, -1]])"),
            "workloads[0].block_table.rows[1][2]: found -1; expected a block id, 0 … 2147483646, "
            "in live column 2 of sequence 1");
  EXPECT_EQ(rows(R"("rows": [[0], [1, 16, 2]], "pool_blocks": 16)"),
            "workloads[0].block_table.rows[1][1]: found 16; expected a block id, 0 … 15, in live "
            "column 1 of sequence 1");
  EXPECT_EQ(rows(R"("rows": [[0], [1, 2]])"),
            "workloads[0].block_table.rows[1]: found 2 block ids; expected at least 3 for kv_len "
            "40 of sequence 1: column 2 is missing");
  EXPECT_EQ(rows(R"("rows": [[0, 1, 2]])"),
            "workloads[0].block_table.rows: found 1 rows; expected 2, one for each sequence");
  EXPECT_EQ(rows(R"("rows": [[0], [1, 2, 3, 4, 5]], "width": 4)"),
            "workloads[0].block_table.width: found 4; expected at least 5, the ids in rows[1]");
  EXPECT_EQ(rows(R"("rows": [[0], [1, 2, 3]], "first_block": 2)"),
            "workloads[0].block_table.first_block: found 2; expected no first_block beside rows, "
            "which give the ids themselves");
}

TEST(ConfigFault, NamesAWidthThatIsTooSmall) {
  EXPECT_EQ(fault_in(R"({"batch": "q1s16_q1s40", "block_table": {"width": 2}})"),
            "workloads[0].block_table.width: found 2; expected at least 3, the blocks that kv_len "
            "40 of sequence 1 fills");
  EXPECT_EQ(fault_in(R"({"batch": "q1s16", "block_table": {"width": 0}})"),
            "workloads[0].block_table.width: found 0; expected an integer, 1 … 2147483647");
}

TEST(ConfigFault, NamesATableThatIsTooLarge) {
  EXPECT_EQ(fault_in(R"({"batch": "32768q1", "block_table": {"width": 65536}})"),
            "workloads[0].block_table.width: found a block table of 32768 x 65536 entries; "
            "expected at most 2147483647");
}

TEST(ConfigFault, NamesAPoolThatIsTooSmall) {
  const auto pool = [](const std::string& table) {
    return fault_in(R"({"batch": "q1s64", "block_table": {)" + table + "}}");
  };
  EXPECT_EQ(pool(R"("pool_blocks": 3)"),
            "workloads[0].block_table.pool_blocks: found 3; expected at least 4 for 4 live blocks");
  EXPECT_EQ(pool(R"("pool_blocks": 12, "first_block": 9)"),
            "workloads[0].block_table.pool_blocks: found 12; expected at least 13 for 4 live "
            "blocks from first_block 9 on");
  EXPECT_EQ(pool(R"("pool_blocks": 4, "unused": "poison_block")"),
            "workloads[0].block_table.pool_blocks: found 4; expected at least 5: 4 live blocks, "
            "and one left for unused \"poison_block\"");
  EXPECT_EQ(pool(R"("first_block": 2147483646)"),
            "workloads[0]: found 4 live blocks from first_block 2147483646 on; expected a pool of "
            "at most 2147483647, which an int32 block id can name");
}

TEST(ConfigFault, NamesAPolicyThatNeedsALiveBlockWhereThereIsNone) {
  EXPECT_EQ(
      fault_in(
          R"({"batch": "2q1s0", "allow_empty_rows": true, "block_table": {"unused": "live_block"}})"),
      "workloads[0].block_table.unused: found no live block; expected a sequence with kv_len "
      "≥ 1 for unused \"live_block\"");
}

TEST(ConfigFault, NamesAPrefixThatDoesNotFit) {
  const auto prefix = [](const std::string& keys) {
    return fault_in(R"({"batch": "q1s64_q1s40", "shared_prefix": {)" + keys + "}}");
  };
  EXPECT_EQ(prefix(R"("tokens": 20)"),
            "workloads[0].shared_prefix.tokens: found 20; expected a multiple of block_size = 16");
  EXPECT_EQ(prefix(R"("tokens": 48)"),
            "workloads[0].shared_prefix.tokens: found 48; expected at most 40, the kv_len of "
            "sequence 1");
  EXPECT_EQ(prefix(R"("tokens": 16, "groups": 3)"),
            "workloads[0].shared_prefix.groups: found 3; expected at most 2, the number of "
            "sequences");
  EXPECT_EQ(fault_in(R"({"batch": "q1s16", "shared_prefix": {"tokens": 16},
                        "block_table": {"rows": [[0]]}})"),
            "workloads[0].shared_prefix.tokens: found 16; expected no shared_prefix beside "
            "block_table.rows, which shares by repeating an id");
}

// Case 72: numbers that would wrap or lose digits.
TEST(ConfigFault, NeverNarrowsANumber) {
  EXPECT_EQ(fault_in(R"({"batch": "q1", "block_table": {"pool_blocks": 4294967297}})"),
            "workloads[0].block_table.pool_blocks: found 4294967297; expected an integer, 1 … "
            "2147483647");
  EXPECT_EQ(fault_in(R"({"q_lens": [1], "kv_lens": [-1]})"),
            "workloads[0].kv_lens[0]: found -1; expected an integer, 1 … 16777216");
  EXPECT_EQ(fault_in(R"({"batch": [{"count": 1e3, "q": 1, "kv": 1}]})"),
            "workloads[0].batch[0].count: found 1e3; expected an integer, 1 … 1048576");
  EXPECT_EQ(fault_in(R"({"batch": [{"count": 2.5, "q": 1, "kv": 1}]})"),
            "workloads[0].batch[0].count: found 2.5; expected an integer, 1 … 1048576");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "seed": 18446744073709551616})"),
            "workloads[0].seed: found 18446744073709551616; expected an integer, 0 … "
            "18446744073709551615, as a number or a string of digits");
}

// Case 70: the same, in the defaults and in groups.
TEST(ConfigFault, NamesTheNearestKnownKey) {
  EXPECT_EQ(fault_in(R"({"batch": [{"cout": 2, "q": 1, "kv": 1}]})"),
            "workloads[0].batch[0].cout: found the unknown key \"cout\"; expected one of count, q, "
            "kv (did you mean \"count\"?)");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "block_table": {"layout": "suffled"}})"),
            "workloads[0].block_table.layout: found \"suffled\"; expected one of shuffled, "
            "contiguous, reversed, interleaved, aged (did you mean \"shuffled\"?)");
}

// Cases 68 and 69: what is not JSON, or not text. The words are the parser's.
TEST(ConfigFault, RefusesWhatIsNotStrictJson) {
  EXPECT_THAT(complaint("{\"workloads\":[{\"batch\": \"q1\"},\n]}"), HasSubstr("trailing comma"));
  EXPECT_THAT(complaint("{\"workloads\":[{\"batch\": \"q1\"},\n]}"), StartsWith("c.json:2: "));
  EXPECT_THAT(complaint("{}  // note"), HasSubstr("a comment; expected none in JSON"));
  EXPECT_THAT(complaint(""), HasSubstr("the file is empty"));
  EXPECT_THAT(complaint(std::string("\xFF\xFE{\0}\0", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(complaint(std::string("{}\0", 3)), HasSubstr("a NUL byte"));
  EXPECT_THAT(complaint("{\"schema\": 1,\n\"schema\": 2}"), HasSubstr("duplicate key \"schema\""));
}

TEST(ConfigFault, IsADemandThatIsNoneOrHasNoBound) {
  EXPECT_EQ(
      fault_in(R"({"batch": "q1", "require": {"cold_us_mix": 5}})"),
      "workloads[0].require.cold_us_mix: found the unknown key \"cold_us_mix\"; expected one of "
      "cold_us_max, warm_us_max, step_us_max, sustained_us_max, graph_us_max, "
      "graph_warm_us_max, speed_of_light_min (did you mean \"cold_us_max\"?)");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "require": {"cold_us_max": 0}})"),
            "workloads[0].require.cold_us_max: found 0; expected a number, 0.001 … 1000000000000");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "require": {"speed_of_light_min": 50}})"),
            "workloads[0].require.speed_of_light_min: found 50; expected a number, 0 … 1");
  EXPECT_EQ(fault_in(R"({"batch": "q1", "require": {"warm_us_max": "fast"}})"),
            "workloads[0].require.warm_us_max: found \"fast\"; expected a number, 0.001 … "
            "1000000000000");
}

}  // namespace
}  // namespace fa2bench
