// SPDX-License-Identifier: MIT
// Inputs that are made to be expensive, and that a fuzzer is unlikely to reach: each is refused
// within a second and 1 GiB.
#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "hostile.hpp"
#include "result/read_report.hpp"
#include "worker/messages.hpp"

namespace fa2bench {
namespace {

using namespace test;

constexpr std::size_t kMillion = 1'000'000;
constexpr std::size_t kTenMillion = 10'000'000;

// Before trusting the measure: it sees what is spent.
TEST(Apart, SeesMemoryTimeAndTheEndOfAProcess) {
  const Outcome outcome = run_apart([] {
    const std::string block(std::size_t{200} << 20U, 'x');
    std::size_t sum = 0;
    for (int round = 0; round < 5; ++round) {
      for (const char c : block) sum = sum * 3 + static_cast<unsigned char>(c);
    }
    return std::to_string(sum);
  });
  EXPECT_EQ(outcome.fault, "");
  EXPECT_FALSE(outcome.refused);
  EXPECT_GE(outcome.peak_mib, 200.0);
  EXPECT_GT(outcome.cpu_s, 0.01);
  EXPECT_NE(run_apart([]() -> std::string { std::abort(); }).fault, "");
  EXPECT_THAT(run_apart([]() -> std::string { throw std::bad_alloc(); }).fault,
              testing::HasSubstr("threw"));
  EXPECT_TRUE(run_apart([]() -> std::string { throw Error(ErrorKind::usage, "no"); }).refused);
}

TEST(HostileInput, NestedAMillionDeep) {
  for (const char* bracket : {"[", "{\"a\":", "[{\"a\":"}) {
    expect_refused(read_config_apart(repeated(bracket, kMillion)), "nested too deeply");
  }
}

TEST(HostileInput, AnArrayOfTenMillionElements) {
  for (const char* element : {"1,", "[],", "{},", "\"\",", "null,", "1.5,"}) {
    expect_refused(
        read_config_apart(config_with("\"q_lens\": [" + repeated(element, kTenMillion - 1) +
                                      "1], \"kv_lens\": []")),
        "more values; expected at most");
  }
}

TEST(HostileInput, FiveMillionSmallObjects) {
  expect_refused(read_config_apart(
                     config_with("\"q_lens\": [" + repeated("{\"a\":1},", kTenMillion / 2) + "1]")),
                 "more values; expected at most");
}

TEST(HostileInput, NumbersOfManyDigits) {
  expect_refused(read_config_apart(config_with("\"q_lens\": [" +
                                               repeated("1.2345678901234567,", kMillion) + "1]")),
                 "kv_lens");
}

TEST(HostileInput, AsManyValuesAsAreRead) {
  // Just below the limit of values: the reader itself must be as careful as the parser.
  const std::string ones = repeated("1,", 3 * kMillion / 2) + "1";
  expect_refused(
      read_config_apart(config_with("\"q_lens\": [" + ones + "], \"kv_lens\": [" + ones + "]")),
      "at most 1048576 sequences");
  expect_refused(read_config_apart(config_with("\"batch\": [" + ones + "]")),
                 "found 1; expected an object");
  expect_refused(read_config_apart(config_with(R"("batch": "q1", "block_table": {"rows": [[)" +
                                               ones + "]], \"width\": 1}")),
                 "at least 1500001");
}

/// "key0": 1, "key1": 1, …
std::string members_of(std::size_t count) {
  std::string members;
  for (std::size_t i = 0; i < count; ++i) members += fmt::format("\"key{}\": 1, ", i);
  return members;
}

TEST(HostileInput, ThreeMillionKeys) {
  expect_refused(read_config_apart(config_with(members_of(3 * kMillion) + "\"batch\": \"q1\"")),
                 "more keys; expected at most 65536");
  expect_refused(read_config_apart(config_with(members_of(60'000) + "\"batch\": \"q1\"")),
                 "the unknown key \"key0\"");
  const std::string object = "{" + members_of(60'000) + "\"last\": 1},";
  expect_refused(read_config_apart(config_with("\"q_lens\": [" + repeated(object, 50) + "1]")),
                 "more values; expected at most");
}

TEST(HostileInput, StringsOfTenMegabytes) {
  const std::string text(kTenMillion, 'x');
  const std::vector<std::pair<std::string, std::string>> places{
      {"\"batch\": \"q1\", \"name\": \"", "200 bytes"},
      {"\"batch\": \"", "the segment"},
      {"\"batch\": \"q1\", \"model\": \"", "expected one of"},
      {"\"batch\": \"q1\", \"seed\": \"", "string of digits"},
      {"\"batch\": \"q1\", \"head_dim\": \"", "an integer"},
      {"\"batch\": \"q1\", \"block_table\": \"", "an object"},
      {"\"batch\": \"q1{", "without a sweep"}};
  for (const auto& [start, part] : places) {
    expect_refused(read_config_apart(config_with(start + text + "\"")), part);
  }
  expect_refused(read_config_apart(config_with("\"" + text + "\": 1")), "the unknown key");
  expect_refused(read_config_apart("{\"schema\": \"" + text + "\"}"), "schema");
  expect_refused(read_config_apart(text), "syntax error");
  expect_refused(read_config_apart("\"" + text), "ends too early");
  expect_refused(read_config_apart("{\"" + text + "\": 1, \"" + text + "\": 1}"), "duplicate key");
}

TEST(HostileInput, DigitsOfTenMegabytes) {
  const std::string zeros(kTenMillion, '0');
  expect_refused(read_config_apart(config_with("\"batch\": \"q" + zeros + "1\"")), "the segment");
  expect_refused(read_config_apart(config_with("\"batch\": \"q1\", \"seed\": \"" + zeros + "1\"")),
                 "string of digits");
  expect_refused(read_config_apart(config_with("\"seed\": 1" + zeros)), "is too large");
  expect_refused(read_config_apart(config_with("\"seed\": 0." + zeros + "1")), "an integer, 0 …");
}

TEST(HostileInput, LoneSurrogatesAndBytesThatAreNotUtf8) {
  for (const char* bytes : {R"(\ud800)", R"(\udfff\ud800)", R"(\ud800\u0041)", "\xED\xA0\x80",
                            "\xFF", "\xC0\x80", "\xF8\x88\x80\x80\x80"}) {
    expect_refused(read_config_apart(
                       config_with("\"batch\": \"q1\", \"name\": \"" + repeated(bytes, 2) + "\"")),
                   "syntax error");
  }
}

TEST(HostileInput, NulBytes) {
  for (const char* part : {"\"batch\"", "num_heads", "]}"}) {
    std::string text = config_with("\"batch\": \"q1\"");
    text.insert(text.find(part), 1, '\0');
    expect_refused(read_config_apart(text), "a NUL byte");
  }
  expect_refused(read_config_apart(std::string(kTenMillion, '\0')), "c.json:1: ");
  expect_refused(read_config_apart(config_with(R"("batch": "q1", "name": "a\u0000b")")),
                 "the name \"a\\x00b\"");
}

/// A result whose only timing has these samples.
std::string result_with(const std::string& head) {
  return R"({"schema": "ferrum-fa2-bench/result/v1", "complete": true, )" + head;
}

TEST(HostileInput, AsAResultFile) {
  const auto read = [](const std::string& text) {
    return run_apart([&] { return read_report(parse_json("r.json", text)).started; });
  };
  expect_refused(read(repeated("[", kMillion)), "nested too deeply");
  expect_refused(read(result_with("\"started\": [" + repeated("1.5,", kTenMillion) + "1]}")),
                 "more values; expected at most");
  expect_refused(read(result_with("\"started\": [\"" + std::string(kTenMillion, 'x') + "\"]}")),
                 "started: found an array");
  expect_refused(read(result_with("\"started\": \"\", \"finished\": null, \"command\": [" +
                                  repeated("\"\",", 3 * kMillion) + "1]}")),
                 "command[3000000]: found 1; expected a string");
}

TEST(HostileInput, AsAMessage) {
  const auto read = [](const std::string& text) {
    return run_apart([&] { return to_message(read_reply(text)).substr(0, 10); });
  };
  expect_refused(read(repeated("{\"run\":", kMillion)), "nested too deeply");
  expect_refused(read(R"({"type": "ran", "run": [)" + repeated("0,", kTenMillion) + "0]}"),
                 "more values; expected at most");
  expect_refused(read(std::string(kMaxJsonBytes + 1, ' ')), "expected at most");
  expect_refused(read(R"({"type": ")" + std::string(kTenMillion, 'x') + "\"}"),
                 "expected one of opened");
}

}  // namespace
}  // namespace fa2bench
