// SPDX-License-Identifier: MIT
#include "cli/color.hpp"

#include <unistd.h>

#include <cstdlib>

namespace fa2bench {

bool wants_color(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe)
  return ::isatty(descriptor) != 0 && (no_color == nullptr || *no_color == '\0');
}

}  // namespace fa2bench
