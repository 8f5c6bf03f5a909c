// SPDX-License-Identifier: MIT
// The command line of `compare`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace fa2bench {

/// `files` receives the result files, and has to outlive the parsing, as has `options`.
void add_compare_options(CLI::App& app, CompareOptions& options, std::vector<std::string>& files);

/// All but the last are baselines. Throws Error(usage) if there are fewer than two.
void take_files(const std::vector<std::string>& files, CompareOptions& options);

/// The command line in the order that CLI11 wants, the last word first. It gives words after a "--"
/// to no command, so that of `compare` is taken out. Throws Error(usage) unless one word follows
/// it, the new result: it would say something else than is done.
std::vector<std::string> reversed_words(int argc, const char* const* argv);

}  // namespace fa2bench
