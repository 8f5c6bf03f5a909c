// SPDX-License-Identifier: MIT
// The kernel for any CPU.
#include "shims/cpu/kernel.hpp"

namespace fa2bench::shims::cpu {

const Kernel kPortableKernel = {"portable", portable::attend, portable::combine};

}  // namespace fa2bench::shims::cpu
