// SPDX-License-Identifier: MIT
// The main of a fuzz target without libFuzzer: feeds every file of the given folders once. A file
// whose name starts with "ok" must be taken as good, so that seeds do not go stale unseen.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz_target.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Feeds the folder's files; the number of faults.
int replay(const fs::path& folder) {
  int faults = 0;
  int good = 0;
  const std::vector<fs::path> files = files_in(folder);
  for (const fs::path& file : files) {
    // Before it is fed: the last line names the input that ended the process.
    fmt::print(stderr, "{}\n", file.string());
    const bool taken = fa2bench::fuzz::feed(bytes_of(file));
    if (taken) ++good;
    if (!taken && file.filename().string().starts_with("ok")) {
      fmt::print("{}: is refused, and its name says that it is good\n", file.string());
      ++faults;
    }
  }
  if (files.empty()) {
    fmt::print("{}: no inputs\n", folder.string());
    ++faults;
  }
  fmt::print("{}: {} inputs, {} good\n", folder.string(), files.size(), good);
  return faults;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} FOLDER…\n", argv[0]);
    return 2;
  }
  int faults = 0;
  for (int i = 1; i < argc; ++i) faults += replay(argv[i]);
  return faults == 0 ? 0 : 1;
}
