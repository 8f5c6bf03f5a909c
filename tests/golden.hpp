// SPDX-License-Identifier: MIT
// Files that a test's output is held against, byte by byte.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace fa2bench::test {

/// The text of tests/FOLDER/golden/NAME.
inline std::string golden(const std::string& folder, const std::string& name) {
  std::ifstream file(FA2BENCH_SOURCE_DIR "/tests/" + folder + "/golden/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace fa2bench::test
