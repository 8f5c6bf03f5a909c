// SPDX-License-Identifier: MIT
// The commonest mistake: the right function without extern "C".
#include <cstddef>

#define MOCK_EXPORT __attribute__((visibility("default")))

MOCK_EXPORT int ferrum_fa2_paged_varlen_fwd(const void*, const void*, const void*, void*, void*,
                                            const void*, const void*, const void*, int, int, int,
                                            int, int, int, int, int, int, void*, char*,
                                            std::size_t) {
  return 0;
}
