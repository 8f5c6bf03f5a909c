// SPDX-License-Identifier: MIT
// What a shim says of itself, and the messages for what it should not say.
#include "shim/describe.hpp"

#include <gmock/gmock.h>

#include "support.hpp"

namespace fa2bench {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

const std::string kWhere = "shim /x.so: ferrum_fa2_shim_describe():";

std::string fault_of(const char* text) {
  return test::error_text(ErrorKind::environment, [&] { (void)parse_description("/x.so", text); });
}

TEST(Description, ReadsEveryKey) {
  const ShimDescription description = parse_description(
      "/x.so",
      R"({"name": "k", "version": "2", "memory": "host", "head_dims": [64, 96], "block_sizes": [8]})");
  EXPECT_TRUE(description.described);
  EXPECT_EQ(description.name, "k");
  EXPECT_EQ(description.version, "2");
  EXPECT_FALSE(description.device_memory);
  EXPECT_THAT(description.head_dims, ElementsAre(64, 96));
  EXPECT_THAT(description.block_sizes, ElementsAre(8));
}

TEST(Description, KeepsTheDefaultsOfMissingKeys) {
  const ShimDescription description = parse_description("/x.so", R"({"_note": 1})");
  EXPECT_TRUE(description.described);
  EXPECT_EQ(description.name, "");
  EXPECT_TRUE(description.device_memory);
  EXPECT_THAT(description.head_dims, ElementsAre(128));
  EXPECT_THAT(description.block_sizes, ElementsAre(16));
}

TEST(Description, RefusesTextThatIsNotJson) {
  EXPECT_EQ(fault_of("my kernel"),
            kWhere + "1: column 1: syntax error at \"m\"; expected strict JSON");
  EXPECT_EQ(fault_of(""), kWhere + "1: the file is empty; expected UTF-8 JSON");
}

TEST(Description, RefusesAnythingButAnObject) {
  EXPECT_EQ(fault_of("[]"), kWhere + "1: the file: found an empty array; expected an object");
}

TEST(Description, RefusesWrongTypes) {
  EXPECT_EQ(fault_of(R"({"name": 1})"), kWhere + "1: name: found 1; expected a string");
  EXPECT_EQ(fault_of(R"({"head_dims": 128})"),
            kWhere + "1: head_dims: found 128; expected an array");
  EXPECT_EQ(fault_of(R"({"head_dims": [128, "64"]})"),
            kWhere + "1: head_dims[1]: found \"64\"; expected an integer, 1 … 65536");
  EXPECT_EQ(fault_of(R"({"block_sizes": [0]})"),
            kWhere + "1: block_sizes[0]: found 0; expected an integer, 1 … 65536");
  EXPECT_EQ(
      fault_of(R"({"block_sizes": []})"),
      kWhere + "1: block_sizes: found an empty array; expected at least one integer, 1 … 65536");
}

TEST(Description, RefusesUnknownWordsWithTheNearestKnown) {
  EXPECT_EQ(fault_of(R"({"memory": "hots"})"),
            kWhere +
                "1: memory: found \"hots\"; expected one of host, device (did you mean "
                "\"host\"?)");
  EXPECT_EQ(fault_of(R"({"head_dim": [1]})"),
            kWhere +
                "1: head_dim: found the unknown key \"head_dim\"; expected one of name, "
                "version, memory, head_dims, block_sizes (did you mean \"head_dims\"?)");
}

TEST(Description, RefusesNull) {
  EXPECT_EQ(fault_of(nullptr), kWhere + " returned NULL; return a JSON text, or do not export it");
}

TEST(Description, BoundsATextWithoutANul) {
  const std::string endless(kMaxDescriptionBytes, ' ');
  EXPECT_EQ(fault_of(endless.c_str()),
            kWhere + " no NUL in the first 65536 bytes; return a NUL-terminated JSON text");
}

}  // namespace
}  // namespace fa2bench
