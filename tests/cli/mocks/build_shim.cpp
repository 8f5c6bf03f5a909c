// SPDX-License-Identifier: MIT
// One of two builds of a shim, MOCK_BUILD 1 or 2, that share every name: the SONAME, a helper, a
// static object and a library beside them. A call fails and says whose of each it got.
#include <cstdio>

#include "ferrum_fa2_shim.h"

/// In libbuild_core.so, of which each build has its own.
extern "C" int build_core();

/// As a build compiled without hidden visibility exports it.
int build_helper() { return MOCK_BUILD; }

/// A static of an inline function is one object for all libraries of a process (STB_GNU_UNIQUE),
/// whatever the scope they were opened with: the first build to come initializes it.
inline int first_build() {
  static int build = MOCK_BUILD;
  return build;
}

extern "C" int ferrum_fa2_paged_varlen_fwd(const void*, const void*, const void*, void*, void*,
                                           const void*, const void*, const void*, int, int, int,
                                           int, int, int, int, int, int, void*, char* err_buf,
                                           size_t err_buf_len) {
  std::snprintf(err_buf, err_buf_len, "helper %d, static %d, core %d", build_helper(),
                first_build(), build_core());
  return FERRUM_FA2_LAUNCH_FAILED;
}

extern "C" const char* ferrum_fa2_shim_describe() {
  return "{\"name\": \"build\", \"memory\": \"host\", \"head_dims\": [128],"
         " \"block_sizes\": [16]}";
}
