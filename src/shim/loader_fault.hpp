// SPDX-License-Identifier: MIT
// What dlopen's complaint means, and what to do about it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fa2bench {

/// The libraries that the loader does not find for `library`, in its whole tree of dependencies.
/// Asks this process's loader in the way of ldd, which runs no code of the library. Empty if it
/// finds all or cannot be asked.
[[nodiscard]] std::vector<std::string> find_missing_libraries(const std::filesystem::path& library);

/// The names in the output of ldd that are "=> not found", each once.
[[nodiscard]] std::vector<std::string> parse_missing_libraries(std::string_view listing);

/// One line: the class of the fault, the loader's text in full, the missing libraries if any, the
/// fix. `loader_text` is dlerror()'s, in the untranslated words of glibc.
[[nodiscard]] std::string explain_loader_fault(std::string_view loader_text,
                                               const std::vector<std::string>& missing);

}  // namespace fa2bench
