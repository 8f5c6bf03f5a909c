// SPDX-License-Identifier: MIT
// Demangled kernel names are often longer than a screen is wide.
#pragma once

#include <cstddef>
#include <string>

namespace fa2bench {

/// The name without return type, parameters, namespaces and casts; where it is still longer than
/// `longest` bytes, without the arguments of its arguments, and then cut off. What is cut out is
/// marked by "…".
std::string short_kernel_name(const std::string& demangled, std::size_t longest = 56);

}  // namespace fa2bench
