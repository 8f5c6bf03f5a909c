/* SPDX-License-Identifier: MIT */
/* What the fake libnvidia-ml answers. A test opens the library itself too and sets its state, which
 * is all zeros at first: a GPU that answers every question with 0. */
#pragma once

#define FAKE_NVML_UUID "GPU-00112233-4455-6677-8899-aabbccddeeff"
#define FAKE_NVML_MOST 300

struct fake_nvml {
  int init_code; /* of nvmlInit_v2 */
  int code;      /* of every other function but the look-ups */
  int as_part;   /* the UUID is that of a MIG part: GPU-… is not found, MIG-… is */
  int process_code;
  int calls;          /* since it was last set to 0 */
  int look_ups;       /* of these */
  int part_questions; /* asked of the part, that only the GPU answers */

  unsigned sm_mhz, memory_mhz, max_sm_mhz, celsius, milliwatts, limit_milliwatts, utilization;
  unsigned falls_by; /* utilization falls by this at each reading */
  unsigned long long reasons, memory_used;
  unsigned processes;
  unsigned pids[FAKE_NVML_MOST];
  unsigned long long used[FAKE_NVML_MOST];
  int ecc, persistence;
  unsigned mig;
};

typedef struct fake_nvml* (*fake_nvml_state_fn)(void);
