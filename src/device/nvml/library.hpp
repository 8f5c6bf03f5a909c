// SPDX-License-Identifier: MIT
// NVML's entry points, found at run time. The prototypes are ours, from NVIDIA's NVML API
// reference: this compiles, and is tested, where there is neither toolkit nor driver.
#pragma once

#include <optional>

namespace fa2bench::nvml {

inline constexpr const char* kLibraryName = "libnvidia-ml.so.1";

/// nvmlDevice_t: a GPU, or a MIG part of one.
struct OpaqueDevice;
using Handle = OpaqueDevice*;

// nvmlReturn_t
inline constexpr int kSuccess = 0;
inline constexpr int kInsufficientSize = 7;

// nvmlClockType_t and nvmlTemperatureSensors_t
inline constexpr int kSmClock = 1;
inline constexpr int kMemoryClock = 2;
inline constexpr int kGpuSensor = 0;

/// nvmlUtilization_t, in per cent.
struct Utilization {
  unsigned gpu = 0;
  unsigned memory = 0;
};

/// nvmlMemory_v2_t, in bytes; `used` leaves out what the driver keeps for itself.
struct Memory {
  unsigned version = sizeof(Memory) | 2U << 24U;
  unsigned long long total = 0;
  unsigned long long reserved = 0;
  unsigned long long free = 0;
  unsigned long long used = 0;
};

inline constexpr unsigned long long kMemoryUnknown = ~0ULL;

/// nvmlProcessInfo_t since version 2.
struct Process {
  unsigned pid = 0;
  unsigned long long used_memory = kMemoryUnknown;  ///< bytes
  unsigned gpu_instance = 0;
  unsigned compute_instance = 0;
};

/// Null where this driver has no such function. Threads may share it.
struct Library {
  int (*driver_version)(char* text, unsigned size) = nullptr;
  int (*by_uuid)(const char* uuid, Handle* handle) = nullptr;
  int (*gpu_of_part)(Handle part, Handle* gpu) = nullptr;
  int (*clock)(Handle gpu, int type, unsigned* mhz) = nullptr;
  int (*max_clock)(Handle gpu, int type, unsigned* mhz) = nullptr;
  int (*temperature)(Handle gpu, int sensor, unsigned* celsius) = nullptr;
  int (*power)(Handle gpu, unsigned* milliwatts) = nullptr;
  int (*power_limit)(Handle gpu, unsigned* milliwatts) = nullptr;
  int (*clock_reasons)(Handle gpu, unsigned long long* bits) = nullptr;
  int (*utilization)(Handle gpu, Utilization* utilization) = nullptr;
  int (*memory)(Handle part, Memory* memory) = nullptr;
  /// `count`: room in, number out, also with kInsufficientSize.
  int (*processes)(Handle part, unsigned* count, Process* list) = nullptr;
  int (*ecc_mode)(Handle gpu, int* now, int* after_reboot) = nullptr;
  int (*mig_mode)(Handle gpu, unsigned* now, unsigned* after_reset) = nullptr;
  int (*persistence_mode)(Handle gpu, int* now) = nullptr;
};

/// Opened and initialized, and both for good: the driver's libraries do not like to be unloaded.
/// Nothing where there is no NVML, or no driver behind it.
std::optional<Library> open_library(const char* path = kLibraryName);

}  // namespace fa2bench::nvml
