// SPDX-License-Identifier: MIT
// A file that is replaced as a whole: after a crash the old or the new content is there, never
// half.
#pragma once

#include <filesystem>
#include <string_view>

namespace fa2bench {

/// A pipe or a device: what is written there cannot be replaced by something newer.
bool is_stream(const std::filesystem::path& path);

/// Throws Error(environment) with the reason if write_atomically could not work for `path`: missing
/// folder, no permission, `path` is a directory, a device that takes nothing. Leaves nothing
/// behind.
void check_writable(const std::filesystem::path& path);

/// Writes a temporary file beside `path`, flushes it to disk and renames it over `path`; a symbolic
/// link stays and its target is replaced. A stream is written straight. Throws Error(environment);
/// `path` is then untouched.
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// Removes what an earlier run left at `path`, which would be taken for this one's. Only a regular
/// file; a symbolic link stays and its target is removed.
void remove_older(const std::filesystem::path& path);

}  // namespace fa2bench
