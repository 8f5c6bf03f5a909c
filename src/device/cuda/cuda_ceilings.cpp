// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_ceilings.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>

#include "device/cuda/cublaslt.hpp"
#include "device/cuda/kernels.hpp"

namespace fa2bench::cuda {
namespace {

cudaStream_t stream_of(const Device& device) { return static_cast<cudaStream_t>(device.stream()); }

/// The shortest of some calls, after one that is not counted; 0 if one failed.
double fastest_us(Device& device, const std::function<int()>& call) {
  constexpr int kCalls = 8;
  double fastest = 0.0;
  for (int i = 0; i <= kCalls; ++i) {
    const CallTime time = device.time_call(call);
    if (time.code != 0) return 0.0;
    if (i == 1 || (i > 1 && time.device.count() < fastest)) fastest = time.device.count();
  }
  return fastest;
}

/// GB/s of reads from a buffer of many times the L2.
std::optional<double> read_ceiling(Device& device) {
  const Bytes size = mib(4096);
  const DeviceMemory buffer = device.allocate(size);
  const DeviceMemory never_written = device.allocate({sizeof(ScanResult)});
  device.fill_words(buffer.get(), 0x01020304U, size);
  const double us = fastest_us(device, [&] {
    return static_cast<int>(enqueue_read(buffer.get(), size.count / 16,
                                         static_cast<ScanResult*>(never_written.get()),
                                         stream_of(device)));
  });
  if (us <= 0.0) return std::nullopt;
  return static_cast<double>(size.count) / us * 1e-3;
}

/// TFLOP/s of an 8192 x 8192 x 8192 product of normal data.
std::optional<double> matrix_ceiling(Device& device, std::string& note) {
  constexpr int kSize = 8192;
  constexpr std::uint64_t kElements = std::uint64_t{kSize} * kSize;
  constexpr Bytes kWorkspace = mib(64);
  const DeviceMemory a = device.allocate({2 * kElements});
  const DeviceMemory b = device.allocate({2 * kElements});
  const DeviceMemory c = device.allocate({2 * kElements});
  const DeviceMemory workspace = device.allocate(kWorkspace);
  device.fill_normal(a.get(), kElements, 1, Tensor::k);
  device.fill_normal(b.get(), kElements, 1, Tensor::v);
  const MatrixProduct product = prepare_matrix_product(
      kSize, a.get(), b.get(), c.get(), workspace.get(), kWorkspace.count, stream_of(device));
  if (!product.enqueue) {
    note = product.obstacle;
    return std::nullopt;
  }
  const double us = fastest_us(device, [&] { return product.enqueue() ? 0 : 1; });
  if (us <= 0.0) {
    note = "the cuBLASLt product failed: no matrix ceiling";
    return std::nullopt;
  }
  return 2.0 * kSize * static_cast<double>(kElements) / us * 1e-6;
}

}  // namespace

Ceilings measure_ceilings(Device& device) {
  Ceilings ceilings;
  try {
    ceilings.read_gb_per_s = read_ceiling(device);
    ceilings.matrix_tflop_per_s = matrix_ceiling(device, ceilings.note);
  } catch (const OutOfMemory& error) {
    ceilings.note = fmt::format("ceilings not measured: {}", error.what());
  }
  return ceilings;
}

}  // namespace fa2bench::cuda
