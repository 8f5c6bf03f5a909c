// SPDX-License-Identifier: MIT
// Typed access, and every complaint word for word.
#include <gtest/gtest.h>

#include <string>

#include "base/json_document.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

/// One document and a reader at its key "v".
class AtV {
 public:
  explicit AtV(const std::string& value)
      : document_(parse_json("c.json", "{\n\"v\": " + value + "}")) {}
  [[nodiscard]] JsonReader reader() const { return JsonReader(document_).at("v"); }

 private:
  JsonDocument document_;
};

/// The complaint of `action` about a value, less the place, which is checked.
template <typename Action>
std::string fault_of(const std::string& value, Action action) {
  const AtV at(value);
  const std::string text = test::usage_error([&] { action(at.reader()); });
  const std::string place = "c.json:2: v: ";
  EXPECT_EQ(text.substr(0, place.size()), place) << text;
  return text.substr(std::min(place.size(), text.size()));
}

std::string integer_fault(const std::string& value) {
  return fault_of(value, [](const JsonReader& reader) { (void)reader.integer(-5, 10); });
}
std::string unsigned_fault(const std::string& value) {
  return fault_of(value, [](const JsonReader& reader) { (void)reader.unsigned64(); });
}
std::string number_fault(const std::string& value) {
  return fault_of(value, [](const JsonReader& reader) { (void)reader.number(0.5, 2.0); });
}

TEST(JsonReader, KnowsItsPlace) {
  const JsonDocument document = parse_json("c.json", "{\"a\": [1, {\"b\":\n2}]}");
  const JsonReader root(document);
  EXPECT_EQ(root.path(), "");
  const JsonReader b = root.at("a").elements()[1].at("b");
  EXPECT_EQ(b.path(), "a[1].b");
  EXPECT_EQ(b.line(), 2);
  EXPECT_EQ(b.document_name(), "c.json");
  EXPECT_EQ(b.integer(0, 9), 2);
}

TEST(JsonReader, ReadsAValueThatWasMadeElsewhere) {
  JsonValue value;
  value.kind = JsonValue::Kind::integer;
  value.line = 7;
  value.magnitude = 3;
  const std::string name = "c.json";
  const JsonReader reader(name, value, "sweep.b[0]");
  EXPECT_EQ(reader.integer(0, 9), 3);
  EXPECT_EQ(test::usage_error([&] { (void)reader.text(); }),
            "c.json:7: sweep.b[0]: found 3; expected a string");
}

TEST(JsonReader, CallsTheRootTheFile) {
  const JsonDocument document = parse_json("c.json", "[]");
  EXPECT_EQ(test::usage_error([&] { (void)JsonReader(document).find("a"); }),
            "c.json:1: the file: found an empty array; expected an object");
}

TEST(JsonReader, SaysWhatWasFoundInOneShortLine) {
  const auto found = [](const std::string& value) {
    return fault_of(value, [](const JsonReader& reader) { reader.fail("more"); });
  };
  EXPECT_EQ(found("null"), "found null; expected more");
  EXPECT_EQ(found("true"), "found true; expected more");
  EXPECT_EQ(found("false"), "found false; expected more");
  EXPECT_EQ(found("-18"), "found -18; expected more");
  EXPECT_EQ(found("1.50e2"), "found 1.50e2; expected more");
  EXPECT_EQ(found("\"a\\nb\""), "found \"a\\nb\"; expected more");
  EXPECT_EQ(found("[]"), "found an empty array; expected more");
  EXPECT_EQ(found("[1]"), "found an array; expected more");
  EXPECT_EQ(found("{\"a\": 1}"), "found an object; expected more");
  EXPECT_EQ(fault_of("1", [](const JsonReader& reader) { reader.fail("more", "less"); }),
            "found less; expected more");
}

TEST(JsonReader, CutsALongQuoteBetweenCharacters) {
  const auto found = [](const std::string& value) {
    return fault_of(value, [](const JsonReader& reader) { reader.fail("x"); });
  };
  const std::string sixty(60, 'a');
  EXPECT_EQ(found("\"" + sixty + "\""), "found \"" + sixty + "\"; expected x");
  EXPECT_EQ(found("\"" + sixty + "b\""), "found \"" + sixty + "…\"; expected x");
  const std::string before(59, 'a');
  EXPECT_EQ(found("\"" + before + "é tail\""), "found \"" + before + "…\"; expected x");
  EXPECT_EQ(found("\"" + before + "😀 tail\""), "found \"" + before + "…\"; expected x");
}

TEST(JsonReader, FindsAMemberOrNothing) {
  const JsonDocument document = parse_json("c.json", "{\"a\": 1}");
  EXPECT_TRUE(JsonReader(document).find("a").has_value());
  EXPECT_FALSE(JsonReader(document).find("b").has_value());
}

TEST(JsonReader, RequiresAMember) {
  EXPECT_EQ(fault_of("{\"a\": 1}", [](const JsonReader& reader) { (void)reader.at("b"); }),
            "found an object without it; expected the key \"b\"");
  EXPECT_EQ(fault_of("3", [](const JsonReader& reader) { (void)reader.at("b"); }),
            "found 3; expected an object");
}

TEST(JsonReader, RefusesAnUnknownKeyAtItsOwnLine) {
  const JsonDocument document =
      parse_json("c.json", "{\"v\": {\"_note\": 1, \"seed\": 1,\n\"num_kvheads\": 4}}");
  const JsonReader reader = JsonReader(document).at("v");
  EXPECT_EQ(test::usage_error([&] {
              reader.require_keys({"seed", "num_kv_heads"});
            }),
            "c.json:2: v.num_kvheads: found the unknown key \"num_kvheads\"; expected one of seed, "
            "num_kv_heads (did you mean \"num_kv_heads\"?)");
  EXPECT_EQ(test::usage_error([&] {
              reader.require_keys({"seed", "batch"});
            }),
            "c.json:2: v.num_kvheads: found the unknown key \"num_kvheads\"; expected one of seed, "
            "batch");
  EXPECT_NO_THROW(reader.require_keys({"seed", "num_kvheads"}));
}

TEST(JsonReader, EscapesAHostileKey) {
  EXPECT_EQ(test::usage_error([] {
              const JsonDocument document = parse_json("c.json", R"({"\u001b[2J\n": 1})");
              JsonReader(document).require_keys({"seed"});
            }),
            "c.json:1: \\x1b[2J\\n: found the unknown key \"\\x1b[2J\\n\"; expected one of seed");
}

TEST(JsonReader, ListsMembersWithoutNotes) {
  const JsonDocument document = parse_json("c.json", R"({"b": 1, "_n": 2, "a": 3})");
  std::vector<std::string> names;
  for (const auto& [name, member] : JsonReader(document).members()) {
    names.push_back(name);
    EXPECT_EQ(member.path(), name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(fault_of("[1]", [](const JsonReader& reader) { (void)reader.members(); }),
            "found an array; expected an object");
}

TEST(JsonReader, ListsElementsWithTheirPaths) {
  const auto elements = AtV("[5, 6]").reader().elements().size();
  EXPECT_EQ(elements, 2U);
  EXPECT_EQ(fault_of("{}", [](const JsonReader& reader) { (void)reader.elements(); }),
            "found an object; expected an array");
}

TEST(JsonReader, ReadsIntegersUpToBothLimits) {
  EXPECT_EQ(AtV("-5").reader().integer(-5, 10), -5);
  EXPECT_EQ(AtV("10").reader().integer(-5, 10), 10);
  EXPECT_EQ(AtV("9223372036854775807").reader().integer(0, INT64_MAX), INT64_MAX);
}

TEST(JsonReader, RefusesWhatIsNoIntegerInRange) {
  const std::string expected = "; expected an integer, -5 … 10";
  EXPECT_EQ(integer_fault("-6"), "found -6" + expected);
  EXPECT_EQ(integer_fault("11"), "found 11" + expected);
  EXPECT_EQ(integer_fault("4294967297"), "found 4294967297" + expected);
  EXPECT_EQ(integer_fault("18446744073709551615"), "found 18446744073709551615" + expected);
  EXPECT_EQ(integer_fault("18446744073709551617"), "found 18446744073709551617" + expected);
  EXPECT_EQ(integer_fault("-9223372036854775808"), "found -9223372036854775808" + expected);
  EXPECT_EQ(integer_fault("1e3"), "found 1e3" + expected);
  EXPECT_EQ(integer_fault("2.5"), "found 2.5" + expected);
  EXPECT_EQ(integer_fault("2.0"), "found 2.0" + expected);
  EXPECT_EQ(integer_fault("\"3\""), "found \"3\"" + expected);
  EXPECT_EQ(integer_fault("true"), "found true" + expected);
  EXPECT_EQ(integer_fault("null"), "found null" + expected);
}

TEST(JsonReader, ReadsUnsignedIntegersAsNumbersAndDigits) {
  EXPECT_EQ(AtV("0").reader().unsigned64(), 0U);
  EXPECT_EQ(AtV("18446744073709551615").reader().unsigned64(), UINT64_MAX);
  EXPECT_EQ(AtV("\"18446744073709551615\"").reader().unsigned64(), UINT64_MAX);
}

TEST(JsonReader, RefusesWhatIsNoUnsignedInteger) {
  const std::string expected =
      "; expected an integer, 0 … 18446744073709551615, as a number or a string of digits";
  EXPECT_EQ(unsigned_fault("-1"), "found -1" + expected);
  EXPECT_EQ(unsigned_fault("18446744073709551616"), "found 18446744073709551616" + expected);
  EXPECT_EQ(unsigned_fault("\"18446744073709551616\""),
            "found \"18446744073709551616\"" + expected);
  EXPECT_EQ(unsigned_fault("\"\""), "found \"\"" + expected);
  EXPECT_EQ(unsigned_fault("\"-1\""), "found \"-1\"" + expected);
  EXPECT_EQ(unsigned_fault("\" 1\""), "found \" 1\"" + expected);
  EXPECT_EQ(unsigned_fault("\"0x1\""), "found \"0x1\"" + expected);
  EXPECT_EQ(unsigned_fault("1.0"), "found 1.0" + expected);
}

TEST(JsonReader, ReadsNumbersUpToBothLimits) {
  EXPECT_EQ(AtV("0.5").reader().number(0.5, 2.0), 0.5);
  EXPECT_EQ(AtV("2").reader().number(0.5, 2.0), 2.0);
  EXPECT_EQ(AtV("-3").reader().number(-4.0, 0.0), -3.0);
}

TEST(JsonReader, RefusesWhatIsNoNumberInRange) {
  EXPECT_EQ(number_fault("0.49"), "found 0.49; expected a number, 0.5 … 2");
  EXPECT_EQ(number_fault("3"), "found 3; expected a number, 0.5 … 2");
  EXPECT_EQ(number_fault("-1"), "found -1; expected a number, 0.5 … 2");
  EXPECT_EQ(number_fault("\"1\""), "found \"1\"; expected a number, 0.5 … 2");
}

TEST(JsonReader, ReadsBooleansAndText) {
  EXPECT_TRUE(AtV("true").reader().boolean());
  EXPECT_FALSE(AtV("false").reader().boolean());
  const AtV text("\"x\"");
  EXPECT_EQ(text.reader().text(), "x");
  EXPECT_EQ(fault_of("1", [](const JsonReader& reader) { (void)reader.boolean(); }),
            "found 1; expected true or false");
  EXPECT_EQ(fault_of("1", [](const JsonReader& reader) { (void)reader.text(); }),
            "found 1; expected a string");
}

TEST(JsonReader, ReadsAWordFromAList) {
  EXPECT_EQ(AtV("\"warm\"").reader().one_of({"cold", "warm"}), 1U);
  const auto fault = [](const std::string& value) {
    return fault_of(value, [](const JsonReader& reader) {
      (void)reader.one_of({"shuffled", "aged"});
    });
  };
  EXPECT_EQ(fault("\"shufled\""),
            "found \"shufled\"; expected one of shuffled, aged (did you mean \"shuffled\"?)");
  EXPECT_EQ(fault("\"contiguous\""), "found \"contiguous\"; expected one of shuffled, aged");
  EXPECT_EQ(fault("2"), "found 2; expected a string");
}

}  // namespace
}  // namespace fa2bench
