// SPDX-License-Identifier: MIT
// configs/config.schema.json against the reader: the same keys, choices and bounds. The reader is
// asked by a fault, since its messages list what it knows.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "workload/config_text.hpp"

namespace fa2bench {
namespace {

class SchemaInStep : public testing::Test {
 protected:
  SchemaInStep() : document_(load_json(source_dir() / "configs" / "config.schema.json")) {}

  [[nodiscard]] JsonReader definition(const char* name) const {
    return JsonReader(document_).at("definitions").at(name);
  }
  /// "a, b, c": the properties of an object schema.
  static std::string keys_of(const JsonReader& object) {
    std::vector<std::string> keys;
    for (const auto& [key, reader] : object.at("properties").members()) keys.push_back(key);
    return join(keys);
  }
  /// "a, b, c": the choices of a property schema.
  static std::string choices_of(const JsonReader& property) {
    std::vector<std::string> choices;
    const JsonReader list = property.at("anyOf").elements()[0].at("enum");
    for (const JsonReader& choice : list.elements()) choices.push_back(choice.text());
    return join(choices);
  }
  /// "1 … 1024": the bounds of an integer property schema.
  static std::string bounds_of(const JsonReader& property) {
    const JsonReader bounds = property.at("anyOf").elements()[0];
    return bounds.at("minimum").value().quote() + " … " + bounds.at("maximum").value().quote();
  }

  JsonDocument document_;
};

/// The list after "expected one of ", up to a suggestion.
std::string known(const std::string& message) {
  const std::string start = "expected one of ";
  const std::size_t at = message.find(start);
  if (at == std::string::npos) return message;
  const std::string list = message.substr(at + start.size());
  return list.substr(0, list.find(" (did you mean"));
}

/// The bounds after "expected an integer, ".
std::string bounds_in(const std::string& message) {
  const std::string start = "expected an integer, ";
  const std::size_t at = message.find(start);
  return at == std::string::npos ? message : message.substr(at + start.size());
}

TEST_F(SchemaInStep, HasTheReadersKeys) {
  const std::string wrong = R"("wrong_key_of_any_kind": 1)";
  EXPECT_EQ(keys_of(JsonReader(document_)),
            known(complaint(R"({"schema": "ferrum-fa2-bench/config/v1", )" + wrong + "}")));
  EXPECT_EQ(
      keys_of(JsonReader(document_).at("properties").at("defaults")),
      known(complaint(R"({"schema": "ferrum-fa2-bench/config/v1", "defaults": {)" + wrong + "}}")));
  EXPECT_EQ(keys_of(definition("workload")), known(fault_in("{" + wrong + "}")));
  EXPECT_EQ(keys_of(definition("group")), known(fault_in(R"({"batch": [{)" + wrong + "}]}")));
  EXPECT_EQ(keys_of(definition("block_table")),
            known(fault_in(R"({"block_table": {)" + wrong + "}}")));
  EXPECT_EQ(keys_of(definition("shared_prefix")),
            known(fault_in(R"({"shared_prefix": {)" + wrong + "}}")));
  EXPECT_EQ(keys_of(definition("require")), known(fault_in(R"({"require": {)" + wrong + "}}")));
}

TEST_F(SchemaInStep, HasTheReadersChoices) {
  EXPECT_EQ(JsonReader(document_).at("properties").at("schema").at("const").text(), kConfigSchema);
  EXPECT_EQ(choices_of(definition("model")), known(fault_in(R"({"model": "?"})")));
  const JsonReader table = definition("block_table").at("properties");
  EXPECT_EQ(choices_of(table.at("layout")), known(fault_in(R"({"block_table": {"layout": "?"}})")));
  EXPECT_EQ(choices_of(table.at("unused")), known(fault_in(R"({"block_table": {"unused": "?"}})")));
}

TEST_F(SchemaInStep, HasTheReadersBoundsOfShape) {
  for (const char* key :
       {"num_heads", "num_kv_heads", "head_dim", "block_size", "max_q_len", "max_kv_len"}) {
    EXPECT_EQ(bounds_of(definition(key)),
              bounds_in(fault_in(std::string("{\"") + key + "\": -1}")));
  }
}

TEST_F(SchemaInStep, HasTheReadersBoundsOfPlacement) {
  const JsonReader table = definition("block_table").at("properties");
  for (const char* key : {"width", "pool_blocks", "first_block"}) {
    EXPECT_EQ(bounds_of(table.at(key)),
              bounds_in(fault_in(std::string(R"({"block_table": {")") + key + "\": -1}}")));
  }
  EXPECT_EQ(bounds_of(table.at("rows").at("items").at("items")),
            bounds_in(fault_in(R"({"block_table": {"rows": [[4294967296]]}})")));
  for (const char* key : {"tokens", "groups"}) {
    EXPECT_EQ(bounds_of(definition("shared_prefix").at("properties").at(key)),
              bounds_in(fault_in(std::string(R"({"shared_prefix": {")") + key + "\": -1}}")));
  }
}

TEST_F(SchemaInStep, HasTheReadersBoundsOfLengths) {
  const JsonReader group = definition("group").at("properties");
  EXPECT_EQ(bounds_of(group.at("count")), bounds_in(fault_in(R"({"batch": [{"count": 0}]})")));
  // A schema cannot say that 0 needs allow_empty_rows.
  EXPECT_EQ(bounds_of(group.at("q")),
            bounds_in(fault_in(R"({"batch": [{"q": -1, "kv": 1}], "allow_empty_rows": true})")));
  EXPECT_EQ(bounds_of(group.at("kv")),
            bounds_in(fault_in(R"({"batch": [{"q": 1, "kv": -1}], "allow_empty_rows": true})")));
  const JsonReader lens = definition("workload").at("properties");
  EXPECT_EQ(bounds_of(lens.at("q_lens").at("items")),
            bounds_in(fault_in(R"({"q_lens": [-1], "kv_lens": [1], "allow_empty_rows": true})")));
  EXPECT_EQ(bounds_of(lens.at("kv_lens").at("items")),
            bounds_in(fault_in(R"({"q_lens": [1], "kv_lens": [-1], "allow_empty_rows": true})")));
}

}  // namespace
}  // namespace fa2bench
