// SPDX-License-Identifier: MIT
#include "device/api_calls.hpp"

#include <gtest/gtest.h>

namespace fa2bench {
namespace {

TEST(ApiUse, TellsWhatWaits) {
  for (const char* name : {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize",
                           "cuCtxSynchronize", "cuStreamSynchronize_ptsz"}) {
    EXPECT_EQ(api_use(name), ApiUse::synchronizes) << name;
  }
}

TEST(ApiUse, TellsWhatAllocatesOrFrees) {
  for (const char* name : {"cudaMalloc", "cudaMallocAsync", "cudaMallocHost", "cudaFree",
                           "cudaFreeAsync", "cudaHostAlloc", "cuMemAlloc_v2", "cuMemAllocAsync",
                           "cuMemFree_v2", "cuMemFreeHost", "cuMemCreate", "cuMemMap"}) {
    EXPECT_EQ(api_use(name), ApiUse::allocates) << name;
  }
}

TEST(ApiUse, TellsCopiesThatWaitFromThoseThatAreQueued) {
  for (const char* name : {"cudaMemcpy", "cudaMemcpy2D", "cudaMemcpyToSymbol", "cuMemcpyDtoH_v2"}) {
    EXPECT_EQ(api_use(name), ApiUse::copies) << name;
  }
  for (const char* name : {"cudaMemcpyAsync", "cudaMemcpy2DAsync", "cuMemcpyDtoHAsync_v2"}) {
    EXPECT_EQ(api_use(name), ApiUse::other) << name;
  }
}

TEST(ApiUse, IsAnotherOfLaunchesAndQuestions) {
  for (const char* name : {"cudaLaunchKernel", "cuLaunchKernelEx", "cudaGetDevice", "cuMemGetInfo",
                           "cudaMemsetAsync", "cudaStreamWaitEvent", "cudaFuncSetAttribute",
                           "cudaGetLastError", "cudaStreamIsCapturing", ""}) {
    EXPECT_EQ(api_use(name), ApiUse::other) << name;
  }
}

TEST(CountCall, CountsByNameWithoutVersionInTheOrderOfTheirFirst) {
  std::vector<ApiCalls> calls;
  for (const char* name :
       {"cuMemAlloc_v2", "cuLaunchKernel", "cuStreamSynchronize", "cuMemAlloc_v2", "cuMemAlloc"}) {
    count_call(name, calls);
  }
  EXPECT_EQ(calls, (std::vector<ApiCalls>{{"cuMemAlloc", 3}, {"cuStreamSynchronize", 1}}));
}

}  // namespace
}  // namespace fa2bench
