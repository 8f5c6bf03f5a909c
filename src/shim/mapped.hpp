// SPDX-License-Identifier: MIT
// Which shared objects are in this process, and which of them came with a library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fa2bench {

/// One file in the process, by the path that the loader used.
struct MappedObject {
  std::filesystem::path path;
  std::uintptr_t base = 0;  ///< its load address

  friend bool operator==(const MappedObject&, const MappedObject&) = default;
};

/// The shared libraries in this process; without the program itself and the kernel's vdso.
[[nodiscard]] std::vector<MappedObject> mapped_objects();

/// The object behind a dlopen handle.
[[nodiscard]] MappedObject object_of(void* handle);

/// Of `after`: those that are not in `before`, and those that `root` needs, directly or through
/// others, though they were there before. Without `root`. Reads the files' DT_NEEDED lists.
[[nodiscard]] std::vector<std::filesystem::path> libraries_of(
    const MappedObject& root, const std::vector<MappedObject>& before,
    const std::vector<MappedObject>& after);

}  // namespace fa2bench
