// SPDX-License-Identifier: MIT
// What --help says beside the options: examples of each command, exit codes, and how wide it is.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace fa2bench {

/// Descriptions wrapped so that no line is wider than 100 columns; for every command of `app`.
void set_help_layout(CLI::App& app);

/// What follows the options of a command: "run", "plan", …; "" for the tool as a whole.
std::string help_footer(const std::string& command);

}  // namespace fa2bench
