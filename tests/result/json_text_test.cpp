// SPDX-License-Identifier: MIT
#include "result/json_text.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

using Json = nlohmann::ordered_json;

TEST(PrettyJson, IndentsObjectsByTwoAndKeepsTheirOrder) {
  const Json json = {{"z", 1}, {"a", {{"inner", true}}}};
  EXPECT_EQ(pretty_json(json), "{\n  \"z\": 1,\n  \"a\": {\n    \"inner\": true\n  }\n}\n");
}

TEST(PrettyJson, PutsAListOfScalarsOnOneLine) {
  const Json json = {{"numbers", {1, 2.5, nullptr}}};
  EXPECT_EQ(pretty_json(json), "{\n  \"numbers\": [1,2.5,null]\n}\n");
}

TEST(PrettyJson, PutsEachObjectOfAListOnLinesOfItsOwn) {
  Json list = Json::array();
  list.push_back({{"a", 1}});
  list.push_back({{"b", 2}});
  EXPECT_EQ(pretty_json(list), "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 2\n  }\n]\n");
}

TEST(PrettyJson, WritesEmptyListsAndObjectsShort) {
  const Json json = {{"list", Json::array()}, {"object", Json::object()}};
  EXPECT_EQ(pretty_json(json), "{\n  \"list\": [],\n  \"object\": {}\n}\n");
}

TEST(PrettyJson, EscapesKeysAndValues) {
  const Json json = {{"a\"b", "c\nd"}};
  EXPECT_EQ(pretty_json(json), "{\n  \"a\\\"b\": \"c\\nd\"\n}\n");
}

TEST(PrettyJson, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(pretty_json(Json("a\xFF")), "\"a\xEF\xBF\xBD\"\n");
}

TEST(PrettyJson, ReadsBackAsWhatItWas) {
  const Json json = {{"list", {{{"x", {1, 2}}}, 3}}, {"text", "µ"}, {"nothing", nullptr}};
  EXPECT_EQ(Json::parse(pretty_json(json)), json);
}

}  // namespace
}  // namespace fa2bench
