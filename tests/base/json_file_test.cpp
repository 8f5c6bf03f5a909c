// SPDX-License-Identifier: MIT
// Reading a config from a disk.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/json_document.hpp"
#include "support.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;

using JsonFile = test::FolderTest;

std::string fault_of(const fs::path& path) {
  return test::usage_error([&] { (void)load_json(path); });
}

TEST_F(JsonFile, IsNamedByItsPathInMessages) {
  const fs::path file = write("a.json", "{\"a\": 1,\n}");
  EXPECT_EQ(fault_of(file),
            file.string() + ":2: column 1: a trailing comma; expected none in JSON");
}

TEST_F(JsonFile, IsReadInFull) {
  std::string text = "[";
  for (int i = 0; i < 50000; ++i) text += "1234,";
  const JsonDocument document = load_json(write("big.json", text + "5]"));
  EXPECT_EQ(document.root.elements.size(), 50001U);
  EXPECT_EQ(document.root.elements.back().magnitude, 5U);
}

TEST_F(JsonFile, IsRefusedWhenMissing) {
  EXPECT_EQ(fault_of(folder_ / "no.json"),
            (folder_ / "no.json").string() + ": no such file; expected a JSON file");
}

TEST_F(JsonFile, IsRefusedWhenADirectory) {
  EXPECT_EQ(fault_of(folder_), folder_.string() + ": is a directory; expected a JSON file");
}

TEST_F(JsonFile, IsRefusedWhenNotReadable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const fs::path file = write("secret.json", "{}");
  fs::permissions(file, fs::perms::none);
  EXPECT_EQ(fault_of(file), file.string() + ": cannot be read; check its permissions");
}

TEST_F(JsonFile, IsRefusedWhenTooLarge) {
  const fs::path file = write("huge.json", "");
  fs::resize_file(file, kMaxJsonBytes * 4);
  const std::string text = fault_of(file);
  EXPECT_NE(text.find("bytes; expected at most 67108864"), std::string::npos) << text;
}

TEST_F(JsonFile, IsRefusedWhenItNeverEnds) {
  const std::string text = fault_of("/dev/zero");
  EXPECT_NE(text.find("bytes; expected at most 67108864"), std::string::npos) << text;
}

TEST_F(JsonFile, IsRefusedWhenTheEmptyDevice) {
  EXPECT_EQ(fault_of("/dev/null"), "/dev/null:1: the file is empty; expected UTF-8 JSON");
}

TEST_F(JsonFile, ShowsAHostileNameEscaped) {
  EXPECT_EQ(fault_of(folder_ / "a\x1B\n.json"),
            folder_.string() + "/a\\x1b\\n.json: no such file; expected a JSON file");
}

}  // namespace
}  // namespace fa2bench
