// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

TEST(Nearest, FindsTheCandidateWithTheFewestEdits) {
  const std::vector<std::string> keys{"num_heads", "num_kv_heads", "head_dim", "seed"};
  EXPECT_EQ(nearest("num_kvheads", keys), "num_kv_heads");
  EXPECT_EQ(nearest("num_head", keys), "num_heads");
  EXPECT_EQ(nearest("haed_dim", keys), "head_dim");
  EXPECT_EQ(nearest("head_dim", keys), "head_dim");
}

TEST(Nearest, TakesTheFirstOfEquals) { EXPECT_EQ(nearest("abcx", {"abcd", "abce"}), "abcd"); }

TEST(Nearest, GivesNothingWhenAllAreFar) {
  EXPECT_EQ(nearest("iteration", {"seed", "workloads"}), "");
  EXPECT_EQ(nearest("x", {"q", "kv"}), "");  // replacing a whole word is no likeness
  EXPECT_EQ(nearest("", {"a"}), "");
  EXPECT_EQ(nearest("word", {}), "");
}

TEST(Nearest, AllowsTwoEditsOrAThirdOfTheWord) {
  EXPECT_EQ(nearest("sedd", {"seed"}), "seed");
  EXPECT_EQ(nearest("batchxx", {"batch"}), "batch");
  EXPECT_EQ(nearest("batchxxx", {"batch"}), "");
  EXPECT_EQ(nearest("abcdefghixxx", {"abcdefghi"}), "abcdefghi");
}

TEST(Nearest, BoundsItsWorkOnAHugeWord) {
  EXPECT_EQ(nearest(std::string(10000000, 'x'), {"seed", "workloads"}), "");
}

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(printable("plain \"text\" \\ /"), "plain \"text\" \\ /");
  EXPECT_EQ(printable("µs … Ω 漢字 😀"), "µs … Ω 漢字 😀");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, EscapesControls) {
  EXPECT_EQ(printable("a\nb\tc\rd\x1B[31m\x7F"), "a\\nb\\x09c\\x0dd\\x1b[31m\\x7f");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\x00x");
}

TEST(Printable, EscapesTheControlsAboveAscii) {
  EXPECT_EQ(printable("\xC2\x80 \xC2\x9B"
                      "31m \xC2\x9F"),
            "\\xc2\\x80 \\xc2\\x9b31m \\xc2\\x9f");
  EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\x80"), "\\x80");           // a continuation alone
  EXPECT_EQ(printable("\xFF\xFE"), "\\xff\\xfe");  // never valid
  EXPECT_EQ(printable("\xC3("), "\\xc3(");         // a lead without its continuation
}

TEST(Printable, EscapesASequenceThatIsCutOff) {
  EXPECT_EQ(printable("\xC3"), "\\xc3");
  EXPECT_EQ(printable("\xE2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xF0\x9F\x98"), "\\xf0\\x9f\\x98");
}

TEST(Printable, EscapesOverlongForms) {
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xC1\xBF"), "\\xc1\\xbf");
  EXPECT_EQ(printable("\xE0\x9F\xBF"), "\\xe0\\x9f\\xbf");
  EXPECT_EQ(printable("\xF0\x8F\xBF\xBF"), "\\xf0\\x8f\\xbf\\xbf");
}

TEST(Printable, EscapesSurrogatesAndWhatIsPastUnicode) {
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xED\xBF\xBF"), "\\xed\\xbf\\xbf");
  EXPECT_EQ(printable("\xED\x9F\xBF"), "\xED\x9F\xBF");
  EXPECT_EQ(printable("\xEE\x80\x80"), "\xEE\x80\x80");
  EXPECT_EQ(printable("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join({"a", "b"}, "/"), "a/b");
  EXPECT_EQ(join({"a"}), "a");
  EXPECT_EQ(join({}), "");
}

}  // namespace
}  // namespace fa2bench
