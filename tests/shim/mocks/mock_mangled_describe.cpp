// SPDX-License-Identifier: MIT
// The entry point is right, the description is not extern "C".
#include <cstddef>

#define MOCK_EXPORT __attribute__((visibility("default")))

extern "C" MOCK_EXPORT int ferrum_fa2_paged_varlen_fwd(const void*, const void*, const void*, void*,
                                                       void*, const void*, const void*, const void*,
                                                       int, int, int, int, int, int, int, int, int,
                                                       void*, char*, std::size_t) {
  return 0;
}

MOCK_EXPORT const char* ferrum_fa2_shim_describe() { return R"({"memory": "host"})"; }
