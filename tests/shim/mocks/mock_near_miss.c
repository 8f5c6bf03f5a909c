/* SPDX-License-Identifier: MIT */
/* Two functions and a datum whose names are not quite the entry point's. */
#define MOCK_EXPORT __attribute__((visibility("default")))

MOCK_EXPORT int ferrum_fa2_paged_varlen_fwdd(void);
MOCK_EXPORT int vllm_paged_varlen(void);
MOCK_EXPORT int unrelated(void);

int ferrum_fa2_paged_varlen_fwdd(void) { return 0; }
int vllm_paged_varlen(void) { return 0; }
int unrelated(void) { return 0; }
