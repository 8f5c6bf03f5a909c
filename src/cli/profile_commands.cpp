// SPDX-License-Identifier: MIT
#include "cli/profile_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/nvtx.hpp"
#include "base/text.hpp"

namespace fa2bench {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string profile_commands(const ProfiledRun& run) {
  std::vector<std::string> words;
  for (const std::string& word : run.command) words.push_back(printable(shell_word(word)));
  const std::string command = join(words, " ");
  // After the first range nsys would else end, and the run with it.
  const char* end = run.ranges > 1 ? "repeat" : "stop";
  // Start/end ranges, as ours are, have no slash behind their name.
  return fmt::format(
      "profile with:\n"
      "  nsys profile -t cuda,nvtx{} -c cudaProfilerApi --capture-range-end={} {}\n"
      "  ncu --target-processes all --nvtx --nvtx-include {}@{} {}",
      run.graphs ? " --cuda-graph-trace=node" : "", end, command, kNvtxDomain, kTimedRange,
      command);
}

}  // namespace fa2bench
