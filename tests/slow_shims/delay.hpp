// SPDX-License-Identifier: MIT
// C++17: gpu.cu reaches this.
#pragma once

#include <string>

namespace fa2bench::slow {

/// Makes the call that many microseconds longer than a delay of 0 does; on a GPU by work on
/// `stream` that can be captured and waits for nothing. Returns why it could not, or "".
std::string delay(double us, void* stream);

}  // namespace fa2bench::slow
