// SPDX-License-Identifier: MIT
// Is this file a shared library that this process could open? Asked before dlopen, whose own words
// ("invalid ELF header", "wrong ELF class") help nobody, and which dies on a half-copied file.
#pragma once

#include <filesystem>

namespace fa2bench {

/// Throws Error(environment), one line: missing, a broken link, a directory, not a regular file,
/// not readable, empty, text, archive, damaged, wrong machine, 32-bit, an object file, an
/// executable, cut short.
void check_shim_file(const std::filesystem::path& path);

}  // namespace fa2bench
