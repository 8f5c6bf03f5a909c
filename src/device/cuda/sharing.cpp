// SPDX-License-Identifier: MIT
#include "device/cuda/sharing.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace fa2bench::cuda {
namespace {

/// None of these errors is sticky, so the device is not lost.
void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  throw DeviceError(
      fmt::format("{}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error)), false);
}

}  // namespace

Bytes shareable_size(Bytes size) {
  constexpr std::uint64_t kPage = 2U << 20U;
  return {std::max<std::uint64_t>(1, (size.count + kPage - 1) / kPage) * kPage};
}

std::string share(void* memory) {
  cudaIpcMemHandle_t handle{};
  require(cudaIpcGetMemHandle(&handle, memory), "cudaIpcGetMemHandle");
  std::string text;
  for (const char byte : handle.reserved) {
    fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

DeviceMemory open_shared(const std::string& handle) {
  cudaIpcMemHandle_t bytes{};
  bool good = handle.size() == 2 * sizeof bytes.reserved;
  for (std::size_t i = 0; good && i < sizeof bytes.reserved; ++i) {
    const char* digits = handle.data() + 2 * i;
    unsigned value = 0;
    good = std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2;
    bytes.reserved[i] = static_cast<char>(value);
  }
  if (!good) throw DeviceError("no handle of shared device memory", false);
  void* memory = nullptr;
  require(cudaIpcOpenMemHandle(&memory, bytes, cudaIpcMemLazyEnablePeerAccess),
          "cudaIpcOpenMemHandle");
  return {memory, [](void* p) { cudaIpcCloseMemHandle(p); }};
}

}  // namespace fa2bench::cuda
