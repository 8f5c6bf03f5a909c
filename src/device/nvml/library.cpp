// SPDX-License-Identifier: MIT
#include "device/nvml/library.hpp"

#include <array>
#include <string>

#include "device/dynamic_library.hpp"

namespace fa2bench::nvml {

std::optional<Library> open_library(const char* path) {
  void* file = open_first(std::array{std::string(path)});
  if (file == nullptr) return std::nullopt;
  int (*initialize)() = nullptr;
  if (!find_function(file, "nvmlInit_v2", initialize) || initialize() != kSuccess) {
    return std::nullopt;
  }

  Library library;
  find_function(file, "nvmlSystemGetDriverVersion", library.driver_version);
  find_function(file, "nvmlDeviceGetHandleByUUID", library.by_uuid);
  find_function(file, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", library.gpu_of_part);
  find_function(file, "nvmlDeviceGetClockInfo", library.clock);
  find_function(file, "nvmlDeviceGetMaxClockInfo", library.max_clock);
  find_function(file, "nvmlDeviceGetTemperature", library.temperature);
  find_function(file, "nvmlDeviceGetPowerUsage", library.power);
  find_function(file, "nvmlDeviceGetEnforcedPowerLimit", library.power_limit);
  if (!find_function(file, "nvmlDeviceGetCurrentClocksEventReasons", library.clock_reasons)) {
    // Its name before driver 535.
    find_function(file, "nvmlDeviceGetCurrentClocksThrottleReasons", library.clock_reasons);
  }
  find_function(file, "nvmlDeviceGetUtilizationRates", library.utilization);
  find_function(file, "nvmlDeviceGetMemoryInfo_v2", library.memory);
  if (!find_function(file, "nvmlDeviceGetComputeRunningProcesses_v3", library.processes)) {
    // The same struct.
    find_function(file, "nvmlDeviceGetComputeRunningProcesses_v2", library.processes);
  }
  find_function(file, "nvmlDeviceGetEccMode", library.ecc_mode);
  find_function(file, "nvmlDeviceGetMigMode", library.mig_mode);
  find_function(file, "nvmlDeviceGetPersistenceMode", library.persistence_mode);
  return library;
}

}  // namespace fa2bench::nvml
