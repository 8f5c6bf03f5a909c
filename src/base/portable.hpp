// SPDX-License-Identifier: MIT
// What a header needs to be usable from both a host compiler and nvcc.
#pragma once

#if defined(__CUDACC__)
#define FA2BENCH_HD __host__ __device__
#else
#define FA2BENCH_HD
#endif
