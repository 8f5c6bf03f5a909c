// SPDX-License-Identifier: MIT
// The kernel for x86 CPUs with AVX2; the build gives this file the matching flags.
#include "shims/cpu/kernel.hpp"

namespace fa2bench::shims::cpu {

const Kernel kAvx2Kernel = {"avx2", avx2::attend, avx2::combine};

}  // namespace fa2bench::shims::cpu
