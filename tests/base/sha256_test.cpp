// SPDX-License-Identifier: MIT
// Known answers from FIPS 180-2, whose examples are these texts.
#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace fa2bench {
namespace {

constexpr const char* kOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kOfAMillionA =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

using Sha256File = test::FolderTest;

TEST(Sha256Text, MatchesTheKnownAnswers) {
  EXPECT_EQ(sha256_of_text(""), kOfNothing);
  EXPECT_EQ(sha256_of_text("abc"), kOfAbc);
  EXPECT_EQ(sha256_of_text(std::string(1000000, 'a')), kOfAMillionA);
}

TEST(Sha256Text, DoesNotDependOnTheSizeOfThePieces) {
  Sha256 digest;
  for (const char* piece : {"a", "", "bc"}) digest.update(piece);
  EXPECT_EQ(digest.hex(), kOfAbc);
}

TEST_F(Sha256File, MatchesTheKnownAnswers) {
  EXPECT_EQ(sha256_of_file(write("empty", "")), kOfNothing);
  EXPECT_EQ(sha256_of_file(write("abc", "abc")), kOfAbc);
  EXPECT_EQ(sha256_of_file(write("million", std::string(1000000, 'a'))), kOfAMillionA);
}

TEST_F(Sha256File, IsReadOverSeveralPieces) {
  const std::string text(3 * 1000 * 1000 + 7, 'q');
  EXPECT_EQ(sha256_of_file(write("large", text)), sha256_of_text(text));
}

TEST_F(Sha256File, IsRefusedWhenItCannotBeRead) {
  for (const std::filesystem::path& path : {folder_ / "no", folder_}) {
    try {
      (void)sha256_of_file(path);
      FAIL() << "no Error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::environment);
      EXPECT_EQ(error.what(), path.string() + ": cannot be read to hash it");
    }
  }
}

}  // namespace
}  // namespace fa2bench
