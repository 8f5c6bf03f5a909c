// SPDX-License-Identifier: MIT
// Text → tree: lines, encodings, limits, and the message for each thing people get wrong.
#include <gtest/gtest.h>

#include "base/json_document.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

using Kind = JsonValue::Kind;

std::string fault_of(std::string_view text) {
  return test::usage_error([&] { (void)parse_json("c.json", text); });
}

JsonValue root_of(std::string_view text) { return parse_json("c.json", text).root; }

TEST(JsonParse, ReadsEveryKindOfValue) {
  const JsonValue root = root_of(R"([null, true, false, 7, -7, 1.5, "t\u00e9\n", [], {}])");
  ASSERT_EQ(root.kind, Kind::array);
  ASSERT_EQ(root.elements.size(), 9U);
  EXPECT_EQ(root.elements[0].kind, Kind::null);
  EXPECT_TRUE(root.elements[1].boolean);
  EXPECT_FALSE(root.elements[2].boolean);
  EXPECT_EQ(root.elements[3].kind, Kind::integer);
  EXPECT_EQ(root.elements[3].magnitude, 7U);
  EXPECT_TRUE(root.elements[4].negative);
  EXPECT_EQ(root.elements[4].magnitude, 7U);
  EXPECT_EQ(root.elements[5].kind, Kind::number);
  EXPECT_EQ(root.elements[5].number, 1.5);
  EXPECT_EQ(root.elements[6].text, "té\n");
  EXPECT_EQ(root.elements[7].kind, Kind::array);
  EXPECT_EQ(root.elements[8].kind, Kind::object);
}

TEST(JsonParse, KeepsMembersInFileOrder) {
  const JsonValue root = root_of(R"({"z": 1, "a": {"y": 2}, "m": [3]})");
  ASSERT_EQ(root.members.size(), 3U);
  EXPECT_EQ(root.members[0].name, "z");
  EXPECT_EQ(root.members[1].name, "a");
  EXPECT_EQ(root.members[1].value.members[0].value.magnitude, 2U);
  EXPECT_EQ(root.members[2].value.elements[0].magnitude, 3U);
}

TEST(JsonParse, GivesEachValueItsLine) {
  const JsonValue root = root_of("{\"a\": 1,\n\"b\":\n2\n,\n\"c\": [\n3,\n4\n], \"d\": \"x\"\n\n}");
  EXPECT_EQ(root.line, 1);
  EXPECT_EQ(root.members[0].value.line, 1);
  EXPECT_EQ(root.members[1].value.line, 3);  // a number is known to end one character later
  EXPECT_EQ(root.members[2].value.line, 5);
  EXPECT_EQ(root.members[2].value.elements[0].line, 6);
  EXPECT_EQ(root.members[2].value.elements[1].line, 7);
  EXPECT_EQ(root.members[3].value.line, 8);
}

TEST(JsonParse, CountsCrLfAsOneLine) {
  const JsonValue root = root_of("{\r\n\"a\": 1,\r\n\"b\": 2\r\n}\r\n");
  EXPECT_EQ(root.members[0].value.line, 2);
  EXPECT_EQ(root.members[1].value.line, 3);
}

TEST(JsonParse, AcceptsAUtf8ByteOrderMark) {
  EXPECT_EQ(root_of("\xEF\xBB\xBF{\"a\": 1}\r\n").members.size(), 1U);
}

TEST(JsonParse, RefusesUtf16AndUtf32WithAndWithoutAMark) {
  const std::string expected = "c.json:1: found UTF-16 or UTF-32 text; expected UTF-8 JSON";
  EXPECT_EQ(fault_of(std::string_view("\xFF\xFE{\0}\0", 6)), expected);
  EXPECT_EQ(fault_of(std::string_view("\xFE\xFF\0{\0}", 6)), expected);
  EXPECT_EQ(fault_of(std::string_view("{\0}\0", 4)), expected);
  EXPECT_EQ(fault_of(std::string_view("\0{\0}", 4)), expected);
  EXPECT_EQ(fault_of(std::string_view("{\0\0\0}\0\0\0", 8)), expected);
}

TEST(JsonParse, RefusesAnEmptyFile) {
  const std::string expected = "c.json:1: the file is empty; expected UTF-8 JSON";
  EXPECT_EQ(fault_of(""), expected);
  EXPECT_EQ(fault_of(" \r\n\t\n"), expected);
  EXPECT_EQ(fault_of("\xEF\xBB\xBF"), expected);
}

// The lexer beneath ends at a NUL and would accept whatever follows.
TEST(JsonParse, RefusesANulByteAnywhere) {
  EXPECT_EQ(fault_of(std::string_view("{}\0", 3)), "c.json:1: a NUL byte; expected text");
  EXPECT_EQ(fault_of(std::string_view("{}\n\0{\"a\": ]", 10)),
            "c.json:2: a NUL byte; expected text");
  EXPECT_EQ(fault_of(std::string_view("[\"a\0b\"]", 7)), "c.json:1: a NUL byte; expected text");
}

TEST(JsonParse, RefusesComments) {
  const std::string what =
      "a comment; expected none in JSON (a key that starts with \"_\" is free for notes)";
  EXPECT_EQ(fault_of("{\n  \"a\": 1 // note\n}"), "c.json:2: column 10: " + what);
  EXPECT_EQ(fault_of("/* note */ {}"), "c.json:1: column 1: " + what);
  EXPECT_EQ(fault_of("{} # note"), "c.json:1: column 4: " + what);
}

TEST(JsonParse, DoesNotTakeAFaultInAStringForAComment) {
  EXPECT_EQ(fault_of("[\"a/\tb\"]"),
            "c.json:1: column 5: syntax error at \"\"a/<U+0009>\"; expected strict JSON");
  EXPECT_EQ(fault_of("[\"\\#\"]"),
            "c.json:1: column 4: syntax error at \"\"\\#\"; expected strict JSON");
}

TEST(JsonParse, RefusesTrailingCommas) {
  EXPECT_EQ(fault_of("{\"a\": 1,}"), "c.json:1: column 9: a trailing comma; expected none in JSON");
  EXPECT_EQ(fault_of("[\n1,\n]"), "c.json:3: column 1: a trailing comma; expected none in JSON");
}

TEST(JsonParse, RefusesTextThatEndsTooEarlyAtItsLastCharacter) {
  const std::string what = "the file ends too early; expected the rest of the JSON";
  EXPECT_EQ(fault_of("{\"a\": 1"), "c.json:1: column 8: " + what);
  EXPECT_EQ(fault_of("{\n\"a\": [1,\n\n\n"), "c.json:2: column 9: " + what);
  EXPECT_EQ(fault_of("\"abc"), "c.json:1: column 5: " + what);
}

TEST(JsonParse, RefusesMoreThanOneValue) {
  EXPECT_EQ(fault_of("{} {}"),
            "c.json:1: column 4: syntax error at \"{} {\"; expected strict JSON");
}

TEST(JsonParse, RefusesWordsThatOtherLanguagesHave) {
  for (const char* text :
       {"NaN", "Infinity", "True", "None", "'a'", "+1", "0x10", "01", ".5", "1."}) {
    const std::string fault = fault_of(text);
    EXPECT_EQ(fault.substr(0, 16), "c.json:1: column") << fault;
  }
}

TEST(JsonParse, RefusesADuplicateKeyAndNamesIt) {
  EXPECT_EQ(fault_of("{\"a\": 1,\n\"b\": {\"a\": 2},\n\"a\": 3}"),
            "c.json:3: duplicate key \"a\"; expected each key once");
  EXPECT_EQ(fault_of("{\"\\u0061\": 1, \"a\": 3}"),
            "c.json:1: duplicate key \"a\"; expected each key once");
  EXPECT_EQ(fault_of("{\"a\\n\": 1, \"a\\n\": 3}"),
            "c.json:1: duplicate key \"a\\n\"; expected each key once");
}

TEST(JsonParse, StopsAtADepthBomb) {
  const std::string expected = "c.json:1: nested too deeply; expected at most 64 levels";
  EXPECT_EQ(fault_of(std::string(1000000, '[')), expected);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(fault_of(objects), expected);
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_EQ(root_of(nested(64)).kind, Kind::array);
  EXPECT_EQ(fault_of(nested(65)), expected);
}

TEST(JsonParse, RefusesMoreThanItsLimitOfBytes) {
  EXPECT_EQ(fault_of(std::string(kMaxJsonBytes + 1, ' ')),
            "c.json: 67108865 bytes; expected at most 67108864");
}

TEST(JsonParse, HoldsALongString) {
  const std::string text(10000000, 'x');
  const JsonValue root = root_of("\"" + text + "\"");
  EXPECT_EQ(root.text, text);
  EXPECT_EQ(root.quote(), "\"" + std::string(60, 'x') + "…\"");
}

TEST(JsonParse, KeepsIntegersOf64BitsExactAndLargerOnesAsNumbers) {
  const JsonValue root = root_of(
      "[18446744073709551615, 18446744073709551616, -9223372036854775808, "
      "-9223372036854775809, 1e3, 2.0, -0]");
  EXPECT_EQ(root.elements[0].kind, Kind::integer);
  EXPECT_EQ(root.elements[0].magnitude, UINT64_MAX);
  EXPECT_EQ(root.elements[1].kind, Kind::number);
  EXPECT_EQ(root.elements[1].text, "18446744073709551616");
  EXPECT_EQ(root.elements[2].kind, Kind::integer);
  EXPECT_TRUE(root.elements[2].negative);
  EXPECT_EQ(root.elements[2].magnitude, 1ULL << 63U);
  EXPECT_EQ(root.elements[3].kind, Kind::number);
  EXPECT_EQ(root.elements[4].kind, Kind::number);
  EXPECT_EQ(root.elements[4].text, "1e3");
  EXPECT_EQ(root.elements[5].kind, Kind::number);
  EXPECT_EQ(root.elements[6].kind, Kind::integer);
  EXPECT_EQ(root.elements[6].magnitude, 0U);
}

TEST(JsonParse, RefusesANumberPastDouble) {
  EXPECT_EQ(fault_of("[1e999]"),
            "c.json:1: the number 1e999 is too large; expected at most about 1.8e308");
  EXPECT_EQ(root_of("1e-999").number, 0.0);
}

TEST(JsonParse, RefusesLoneSurrogates) {
  for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\ud800x")", R"("\ud800\u0041")"}) {
    const std::string fault = fault_of(text);
    EXPECT_NE(fault.find("syntax error at "), std::string::npos) << fault;
  }
  EXPECT_EQ(root_of(R"("\ud83d\ude00")").text, "😀");
}

TEST(JsonParse, RefusesBytesThatAreNotUtf8) {
  for (const char* text : {"\"\xFF\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\""}) {
    const std::string fault = fault_of(text);
    EXPECT_NE(fault.find("syntax error at "), std::string::npos) << fault;
  }
}

TEST(JsonParse, NeverBreaksOnATruncatedOrDamagedText) {
  const std::string good =
      "{\"a\": [1, -2.5e3, \"x\\u00e9\\n\", null, true],\n \"b\": {\"c\": {}, \"d\": []}}";
  for (std::size_t at = 0; at < good.size(); ++at) {
    EXPECT_NE(fault_of(good.substr(0, at)), "");
    for (const char byte : {'\0', '"', '{', ']', ',', '\\', '\xFF', '\n', '/'}) {
      std::string damaged = good;
      damaged[at] = byte;
      try {
        (void)parse_json("c.json", damaged);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
      }
    }
  }
}

}  // namespace
}  // namespace fa2bench
