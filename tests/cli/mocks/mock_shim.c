/* SPDX-License-Identifier: MIT */
/* A shim on host memory whose fault the environment variable MOCK_FA2 names; computes nothing. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ferrum_fa2_shim.h"

static int is(const char* fault, const char* name) { return fault && strcmp(fault, name) == 0; }

int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out, void* lse,
                                const void* cu_seqlens_q, const void* seq_lens,
                                const void* block_tables, int num_seqs, int total_q_tokens,
                                int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
                                int head_dim, int block_size, int max_blocks_per_seq, void* stream,
                                char* err_buf, size_t err_buf_len) {
  const char* fault = getenv("MOCK_FA2");
  const size_t rows = (size_t)total_q_tokens * (size_t)num_heads;
  (void)q, (void)k, (void)v, (void)cu_seqlens_q, (void)seq_lens, (void)block_tables;
  (void)num_seqs, (void)max_q_len, (void)max_kv_len, (void)num_kv_heads, (void)block_size;
  (void)max_blocks_per_seq, (void)stream;
  if (is(fault, "unsupported")) {
    strncpy(err_buf, "no such shape", err_buf_len);
    return FERRUM_FA2_UNSUPPORTED;
  }
  if (is(fault, "not text")) { /* no NUL, no UTF-8 */
    memset(err_buf, 0xFF, err_buf_len);
    return FERRUM_FA2_LAUNCH_FAILED;
  }
  if (is(fault, "nan")) {
    memset(out, 0x7E, rows * (size_t)head_dim * sizeof(uint16_t));
    memset(lse, 0xFF, rows * sizeof(float));
    return FERRUM_FA2_OK;
  }
  if (is(fault, "hang")) {
    kill((pid_t)atol(getenv("MOCK_FA2_TELL")), SIGUSR1); /* the call has begun */
    for (;;) pause();
  }
  return FERRUM_FA2_OK; /* and nothing written */
}

const char* ferrum_fa2_shim_describe(void) {
  return "{\"name\": \"mock\", \"version\": \"1\", \"memory\": \"host\","
         " \"head_dims\": [128], \"block_sizes\": [16]}";
}
