// SPDX-License-Identifier: MIT
// Whether who reads a stream sees colors.
#pragma once

namespace fa2bench {

/// A terminal, unless the environment variable NO_COLOR says otherwise (no-color.org).
bool wants_color(int descriptor);

}  // namespace fa2bench
