// SPDX-License-Identifier: MIT
// What the tests of this folder share.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace fa2bench::test {

/// A folder that goes with its owner. Its path has no symbolic links.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "fa2bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(name);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file in it, with the folders in between.
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A mock's path: "c11" is libmock_c11.so, "a/equal" is a/libmock_equal.so.
inline std::filesystem::path mock(const std::string& name) {
  const std::filesystem::path parts(name);
  return std::filesystem::path(FA2BENCH_MOCKS) / parts.parent_path() /
         ("libmock_" + parts.filename().string() + ".so");
}

/// The text of the Error that `action` throws; checks its kind and that it is one line.
template <typename Action>
std::string error_text(ErrorKind kind, Action action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.kind(), kind) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
}

}  // namespace fa2bench::test
