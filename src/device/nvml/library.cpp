// SPDX-License-Identifier: MIT
#include "device/nvml/library.hpp"

#include <dlfcn.h>

namespace fa2bench::nvml {
namespace {

template <typename Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
}

}  // namespace

std::optional<Library> open_library(const char* path) {
  void* file = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) return std::nullopt;
  int (*initialize)() = nullptr;
  find(file, "nvmlInit_v2", initialize);
  if (initialize == nullptr || initialize() != kSuccess) return std::nullopt;

  Library library;
  find(file, "nvmlSystemGetDriverVersion", library.driver_version);
  find(file, "nvmlDeviceGetHandleByUUID", library.by_uuid);
  find(file, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", library.gpu_of_part);
  find(file, "nvmlDeviceGetClockInfo", library.clock);
  find(file, "nvmlDeviceGetMaxClockInfo", library.max_clock);
  find(file, "nvmlDeviceGetTemperature", library.temperature);
  find(file, "nvmlDeviceGetPowerUsage", library.power);
  find(file, "nvmlDeviceGetEnforcedPowerLimit", library.power_limit);
  find(file, "nvmlDeviceGetCurrentClocksEventReasons", library.clock_reasons);
  if (library.clock_reasons == nullptr) {  // its name before driver 535
    find(file, "nvmlDeviceGetCurrentClocksThrottleReasons", library.clock_reasons);
  }
  find(file, "nvmlDeviceGetUtilizationRates", library.utilization);
  find(file, "nvmlDeviceGetMemoryInfo_v2", library.memory);
  find(file, "nvmlDeviceGetComputeRunningProcesses_v3", library.processes);
  if (library.processes == nullptr) {  // the same struct
    find(file, "nvmlDeviceGetComputeRunningProcesses_v2", library.processes);
  }
  find(file, "nvmlDeviceGetEccMode", library.ecc_mode);
  find(file, "nvmlDeviceGetMigMode", library.mig_mode);
  find(file, "nvmlDeviceGetPersistenceMode", library.persistence_mode);
  return library;
}

}  // namespace fa2bench::nvml
