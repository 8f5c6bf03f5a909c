// SPDX-License-Identifier: MIT
#include "device/cuda/nvml.hpp"

#include <dlfcn.h>

#include <array>

namespace fa2bench::cuda {
namespace {

template <typename Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

}  // namespace

std::string nvml_driver_version() {
  // Stays loaded: the driver's libraries do not like to be unloaded.
  void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "";
  const auto init = symbol<int (*)()>(library, "nvmlInit_v2");
  const auto version = symbol<int (*)(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
  if (init == nullptr || version == nullptr || init() != 0) return "";
  std::array<char, 96> text{};
  if (version(text.data(), static_cast<unsigned>(text.size() - 1)) != 0) return "";
  return text.data();
}

}  // namespace fa2bench::cuda
