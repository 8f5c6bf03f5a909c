// SPDX-License-Identifier: MIT
// The kernel for x86 CPUs with AVX512; the build gives this file the matching flags.
#include "shims/cpu/kernel.hpp"

namespace fa2bench::shims::cpu {

const Kernel kAvx512Kernel = {"avx512", avx512::attend, avx512::combine};

}  // namespace fa2bench::shims::cpu
