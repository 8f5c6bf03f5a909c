/* SPDX-License-Identifier: MIT */
/* The entry point's name on a variable. */
__attribute__((visibility("default"))) int ferrum_fa2_paged_varlen_fwd = 1;
