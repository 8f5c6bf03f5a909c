// SPDX-License-Identifier: MIT
// The command lines that profile a run, to be pasted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fa2bench {

/// A word as a POSIX shell reads it back, quoted only where it must be.
std::string shell_word(const std::string& word);

/// What --profile brackets.
struct ProfiledRun {
  std::vector<std::string> command;  ///< of this run, word by word
  std::size_t ranges = 1;            ///< bracketed parts: of each workload, shim and mode
  bool graphs = false;               ///< some of them replay CUDA graphs
};

/// A title, one line for Nsight Systems and one for Nsight Compute.
std::string profile_commands(const ProfiledRun& run);

}  // namespace fa2bench
