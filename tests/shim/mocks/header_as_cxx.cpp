// SPDX-License-Identifier: MIT
// The contract's header alone, as C++11.
#include "ferrum_fa2_shim.h"

static_assert(FERRUM_FA2_OK == 0 && FERRUM_FA2_UNSUPPORTED == 3, "the codes are fixed");
