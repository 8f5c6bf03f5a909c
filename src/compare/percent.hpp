// SPDX-License-Identifier: MIT
// Small parts of a whole as people read them.
#pragma once

#include <string>

namespace fa2bench {

/// |part| in percent without its sign and without zeros that say nothing: "12.3", "1", "0.25",
/// "0.031".
std::string percent_number(double part);

}  // namespace fa2bench
