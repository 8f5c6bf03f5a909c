// SPDX-License-Identifier: MIT
// Markdown for a comment on a pull request or the summary of a CI step.
#pragma once

#include <string>

#include "result/report.hpp"

namespace fa2bench {

/// The summary in one sentence; what did not pass, the worst first; the table; the notes, folded;
/// the environment in one line. GitHub's dialect, no HTML but <details>; short enough for a comment
/// (65536 characters). Names and reasons come from files and shims: they format, link and mention
/// nothing.
std::string to_markdown(const Report& report);

}  // namespace fa2bench
