// SPDX-License-Identifier: MIT
// A library without the entry point usually has it under another name; say which.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shim/elf_file.hpp"

namespace fa2bench {

/// True if `name` is a C++-mangled function called `symbol`.
[[nodiscard]] bool is_mangled_form(std::string_view name, std::string_view symbol);

/// Why `symbol` is not among `exported` and what to do: a mangled form, names that are near, or
/// nothing of the kind. One line.
[[nodiscard]] std::string explain_missing_symbol(std::string_view symbol,
                                                 const std::vector<ElfSymbol>& exported);

}  // namespace fa2bench
