// SPDX-License-Identifier: MIT
#include "base/build_info.hpp"

#include "base/nvtx.hpp"
#include "fa2bench_git.h"  // made at build time: FA2BENCH_GIT

namespace fa2bench {

BuildInfo build_info() {
  return {FA2BENCH_VERSION,    FA2BENCH_GIT,       FA2BENCH_COMPILER,
          FA2BENCH_BUILD_TYPE, FA2BENCH_CUDA_TEXT, nvtx_version()};
}

}  // namespace fa2bench
