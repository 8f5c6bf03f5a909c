// SPDX-License-Identifier: MIT
#include "device/cuda/cuda_facts.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <string>

#include "device/cuda/check.hpp"
#include "device/cuda/nvml.hpp"

namespace fa2bench::cuda {
namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

DeviceFacts cuda_facts(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  DeviceFacts facts;
  facts.kind = DeviceKind::cuda;
  facts.index = index;
  facts.name = properties.name;
  facts.uuid = uuid_text(properties.uuid);
  facts.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  facts.driver = nvml_driver_version();
  facts.cuda_driver = fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
  facts.processors = properties.multiProcessorCount;
  facts.l2 = {static_cast<std::uint64_t>(properties.l2CacheSize)};
  facts.memory = {properties.totalGlobalMem};
  return facts;
}

}  // namespace fa2bench::cuda
