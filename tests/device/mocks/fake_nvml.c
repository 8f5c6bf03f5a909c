/* SPDX-License-Identifier: MIT */
/* A libnvidia-ml with one GPU, which says what it is told; the signatures are NVML's. */
#include "fake_nvml.h"

#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7 };

static struct fake_nvml state;
static int gpu, part; /* their addresses are the handles */

struct fake_nvml* fake_nvml_state(void);
struct fake_nvml* fake_nvml_state(void) {
  return &state;
}

struct utilization {
  unsigned gpu, memory;
};
struct memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct process {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};

/* Counts, and answers as a MIG part does: not at all. */
static int answer(const void* handle) {
  ++state.calls;
  if (handle == &part) {
    ++state.part_questions;
    return NOT_SUPPORTED;
  }
  return state.code;
}

int nvmlInit_v2(void);
int nvmlInit_v2(void) { return state.init_code; }

int nvmlSystemGetDriverVersion(char* text, unsigned size);
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  const char version[] = "580.1.2";
  if (size < sizeof version) return TOO_SMALL;
  memcpy(text, version, sizeof version);
  return answer(&gpu);
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle);
int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle) {
  ++state.calls;
  ++state.look_ups;
  if (strcmp(uuid + 3, &FAKE_NVML_UUID[3]) != 0) return NOT_FOUND;
  if (strncmp(uuid, state.as_part ? "MIG" : "GPU", 3) != 0) return NOT_FOUND;
  *handle = state.as_part ? &part : &gpu;
  return SUCCESS;
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void* of, void** handle);
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(void* of, void** handle) {
  ++state.calls;
  ++state.look_ups;
  *handle = &gpu;
  return of == &part ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetClockInfo(void* handle, int type, unsigned* mhz);
int nvmlDeviceGetClockInfo(void* handle, int type, unsigned* mhz) {
  *mhz = type == 1 ? state.sm_mhz : type == 2 ? state.memory_mhz : 0;
  return answer(handle);
}

int nvmlDeviceGetMaxClockInfo(void* handle, int type, unsigned* mhz);
int nvmlDeviceGetMaxClockInfo(void* handle, int type, unsigned* mhz) {
  *mhz = type == 1 ? state.max_sm_mhz : 0;
  return answer(handle);
}

int nvmlDeviceGetTemperature(void* handle, int sensor, unsigned* celsius);
int nvmlDeviceGetTemperature(void* handle, int sensor, unsigned* celsius) {
  *celsius = sensor == 0 ? state.celsius : 0;
  return answer(handle);
}

int nvmlDeviceGetPowerUsage(void* handle, unsigned* milliwatts);
int nvmlDeviceGetPowerUsage(void* handle, unsigned* milliwatts) {
  *milliwatts = state.milliwatts;
  return answer(handle);
}

int nvmlDeviceGetEnforcedPowerLimit(void* handle, unsigned* milliwatts);
int nvmlDeviceGetEnforcedPowerLimit(void* handle, unsigned* milliwatts) {
  *milliwatts = state.limit_milliwatts;
  return answer(handle);
}

/* The name that older drivers have: the newer one is missing. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void* handle, unsigned long long* bits);
int nvmlDeviceGetCurrentClocksThrottleReasons(void* handle, unsigned long long* bits) {
  *bits = state.reasons;
  return answer(handle);
}

int nvmlDeviceGetUtilizationRates(void* handle, struct utilization* rates);
int nvmlDeviceGetUtilizationRates(void* handle, struct utilization* rates) {
  rates->gpu = state.utilization;
  rates->memory = 0;
  state.utilization -= state.falls_by < state.utilization ? state.falls_by : state.utilization;
  return answer(handle);
}

int nvmlDeviceGetMemoryInfo_v2(void* handle, struct memory* memory);
int nvmlDeviceGetMemoryInfo_v2(void* handle, struct memory* memory) {
  ++state.calls;
  if (handle == &gpu && state.as_part) return NOT_SUPPORTED;
  if (memory->version != (sizeof(struct memory) | 2U << 24U)) return NOT_SUPPORTED;
  memory->used = state.memory_used;
  return state.code;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* handle, unsigned* count, struct process* list);
int nvmlDeviceGetComputeRunningProcesses_v3(void* handle, unsigned* count, struct process* list) {
  const unsigned room = *count;
  ++state.calls;
  if (handle == &gpu && state.as_part) return NOT_SUPPORTED;
  if (state.process_code != SUCCESS) return state.process_code;
  *count = state.processes;
  if (room < state.processes) return TOO_SMALL;
  for (unsigned i = 0; i < state.processes; ++i) {
    const struct process process = {state.pids[i], state.used[i], 0, 0};
    list[i] = process;
  }
  return state.code;
}

int nvmlDeviceGetEccMode(void* handle, int* now, int* later);
int nvmlDeviceGetEccMode(void* handle, int* now, int* later) {
  *now = state.ecc;
  *later = !state.ecc;
  return answer(handle);
}

int nvmlDeviceGetMigMode(void* handle, unsigned* now, unsigned* later);
int nvmlDeviceGetMigMode(void* handle, unsigned* now, unsigned* later) {
  *now = state.mig;
  *later = !state.mig;
  return answer(handle);
}

int nvmlDeviceGetPersistenceMode(void* handle, int* now);
int nvmlDeviceGetPersistenceMode(void* handle, int* now) {
  *now = state.persistence;
  return answer(handle);
}
