// SPDX-License-Identifier: MIT
// Workflow commands of GitHub Actions, which its runner reads from what a step prints and shows on
// the summary of the run and beside the pull request.
// Format: GitHub Docs, "Workflow commands for GitHub Actions".
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// One line each: errors for what is wrong, failed, was not run, is slower or misses a demand;
/// warnings for what is inconclusive; a notice with the summary. GitHub shows ten of each kind in a
/// step: where there are more, the tenth says how many.
std::string github_annotations(const Report& report);

/// A text for people in which no line is a command, whatever name it starts with. The runner takes
/// "::" behind blanks and "##[" anywhere for one (actions/runner, ActionCommand.cs), so what would
/// be is written in hexadecimal, as printable() writes control characters.
std::string without_commands(const std::string& text);

}  // namespace fa2bench
