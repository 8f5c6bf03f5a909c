/* SPDX-License-Identifier: MIT */
/* A library with one function, MOCK_DEFINES(), that returns MOCK_VALUE or calls on. */
#ifdef MOCK_CALLS
int MOCK_CALLS(void);
#define MOCK_VALUE MOCK_CALLS()
#endif

__attribute__((visibility("default"))) int MOCK_DEFINES(void);

int MOCK_DEFINES(void) { return MOCK_VALUE; }
