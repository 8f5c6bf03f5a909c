// SPDX-License-Identifier: MIT
// What the tests of this folder share.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace fa2bench::test {

/// The text of the usage Error that `action` throws; checks that it is one line.
template <typename Action>
std::string usage_error(Action action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
}

/// A test with an empty folder of its own, which goes with it.
class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    std::string name = (std::filesystem::temp_directory_path() / "fa2bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~FolderTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::filesystem::path write(const std::string& name,
                                            const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

}  // namespace fa2bench::test
