/* SPDX-License-Identifier: MIT */
/* The library that a build of build_shim.cpp has beside it. */
int build_core(void) { return MOCK_BUILD; }
