// SPDX-License-Identifier: MIT
#include "output/table.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

using Align = Table::Align;

TEST(Table, AlignsTextLeftAndNumbersRight) {
  Table table({{"name", Align::left}, {"n", Align::right}});
  table.add({"a", "1"});
  table.add({"longer", "100"});
  EXPECT_EQ(table.text(),
            "name      n\n"
            "───────────\n"
            "a         1\n"
            "longer  100\n");
}

TEST(Table, CountsAUtf8CharacterAsOneColumn) {
  Table table({{"é", Align::left}, {"time", Align::right}});
  table.add({"décode · µ", "1 µs"});
  table.add({"plain", "±22 µs"});
  EXPECT_EQ(table.text(),
            "é             time\n"
            "──────────────────\n"
            "décode · µ    1 µs\n"
            "plain       ±22 µs\n");
}

TEST(Table, EndsNoLineWithSpaces) {
  Table table({{"a", Align::left}, {"last", Align::left}});
  table.add({"x", ""});
  EXPECT_EQ(table.text(), "a  last\n───────\nx\n");
}

TEST(Table, WithoutRowsIsItsTitles) {
  const Table table({{"a", Align::left}, {"b", Align::right}});
  EXPECT_EQ(table.text(), "a  b\n────\n");
}

TEST(Table, KeepsALineForARowOfEmptyCells) {
  Table table({{"a", Align::left}});
  table.add({""});
  EXPECT_EQ(table.text(), "a\n─\n\n");
}

TEST(Table, IsAlignedInSpiteOfColors) {
  Table table({{"a", Table::Align::left}, {"b", Table::Align::left}});
  table.add({"\033[31mx\033[0m", "y"});
  EXPECT_EQ(table.text(), "a  b\n────\n\033[31mx\033[0m  y\n");
}

TEST(Shortened, KeepsStartAndEnd) {
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(shortened("äbcdéfghïj", 6), "äbc…ïj");
}

TEST(Wrapped, BreaksAtSpacesOnly) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("überlangeswort a b", 5), "überlangeswort\na b");
  EXPECT_EQ(wrapped("", 5), "");
}

}  // namespace
}  // namespace fa2bench
