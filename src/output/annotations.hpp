// SPDX-License-Identifier: MIT
// Workflow commands of GitHub Actions, which its runner reads from what a step prints and shows on
// the summary of the run and beside the pull request.
// Format: GitHub Docs, "Workflow commands for GitHub Actions".
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// One line each: errors for what is wrong, failed, was not run or is slower; warnings for what is
/// inconclusive; a notice with the summary. GitHub shows ten of each kind in a step: where there
/// are more, the tenth says how many.
std::string github_annotations(const Report& report);

}  // namespace fa2bench
