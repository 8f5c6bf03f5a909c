// SPDX-License-Identifier: MIT
// The options of the formats that results can be written in.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/exports.hpp"

namespace fa2bench {

/// Of a command that compares files, only those of formats that need no samples. `paths` has to
/// outlive the parsing.
void add_export_options(CLI::App& app, ExportPaths& paths, bool of_files);

}  // namespace fa2bench
