/* SPDX-License-Identifier: MIT */
/* The right shim that MOCK_NEXT names, to which a mock's calls go on. */
#pragma once

#include <dlfcn.h>
#include <stdlib.h>

#include "ferrum_fa2_shim.h"

/* Null if it cannot be opened. */
static __typeof__(&ferrum_fa2_paged_varlen_fwd) next_shim(void) {
  static __typeof__(&ferrum_fa2_paged_varlen_fwd) next;
  if (next == NULL) {
    void* library = dlopen(getenv("MOCK_NEXT"), RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) *(void**)&next = dlsym(library, "ferrum_fa2_paged_varlen_fwd");
  }
  return next;
}
