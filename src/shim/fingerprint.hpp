// SPDX-License-Identifier: MIT
// What exactly was measured: the shim's file and the libraries that came with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "shim/shim.hpp"

namespace fa2bench {

/// One library of a shim, as the loader mapped it.
struct MappedLibrary {
  std::string name;                 ///< its SONAME, else its file name
  std::filesystem::path real_path;  ///< symbolic links followed
  std::string sha256;               ///< 64 hex digits; "" for a system library, which is not hashed
  std::string build_id;             ///< hex, "" if it has none
};

struct Fingerprint {
  std::filesystem::path real_path;  ///< symbolic links followed
  std::uint64_t size_bytes = 0;
  std::string sha256;    ///< 64 hex digits
  std::string build_id;  ///< hex, "" if it has none
  /// Those newly mapped when the shim was loaded or in its DT_NEEDED tree. Taken from the process,
  /// not from the files: two builds with equal SONAMEs in one process share the first one's.
  std::vector<MappedLibrary> dependencies;
};

/// Reads the files, hundreds of MB if torch is among them. Throws Error(environment) if one has
/// gone since it was loaded.
[[nodiscard]] Fingerprint fingerprint(const Shim& shim);

/// True for libc, libm, libpthread, libdl, librt, the loader, libgcc_s and libstdc++.
[[nodiscard]] bool is_system_library(const std::filesystem::path& path);

/// True if both have the same content, dependencies included: comparing them compares a build with
/// itself. Paths do not count.
[[nodiscard]] bool same_build(const Fingerprint& a, const Fingerprint& b);

}  // namespace fa2bench
