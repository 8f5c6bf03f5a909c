// SPDX-License-Identifier: MIT
// Needs a function that returns std::string and is defined nowhere: its name has a C++ ABI tag.
#include <string>

#include "ferrum_fa2_shim.h"

std::string mock_device_name();

int ferrum_fa2_paged_varlen_fwd(const void*, const void*, const void*, void*, void*, const void*,
                                const void*, const void*, int, int, int max_q_len, int, int, int,
                                int, int, int, void*, char*, size_t) {
  return max_q_len > 1 ? static_cast<int>(mock_device_name().size()) : 0;
}
