// SPDX-License-Identifier: MIT
// Memory that processes share by CUDA IPC.
#include "app/memory_holder_contract.hpp"
#include "gpu/gpu_test.hpp"

namespace fa2bench::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cuda, HeldMemory, testing::Values(HeldMemoryCase{"cuda", cuda_obstacle}));

}  // namespace
}  // namespace fa2bench::test
