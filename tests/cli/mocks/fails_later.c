/* SPDX-License-Identifier: MIT */
/* A shim whose calls go on to the right one that MOCK_NEXT names, but from call MOCK_CALL of a
 * process on, MOCK_FAULT happens: abort, exit, hang, wrong (spoils out), twice (takes twice as
 * long). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "next_shim.h"

static int is_due(void) {
  static long calls = 0;
  const char* from = getenv("MOCK_CALL");
  return ++calls >= (from == NULL ? 1 : atol(from));
}

static int has_fault(const char* name) {
  const char* fault = getenv("MOCK_FAULT");
  return fault != NULL && strcmp(fault, name) == 0;
}

int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out, void* lse,
                                const void* cu_seqlens_q, const void* seq_lens,
                                const void* block_tables, int num_seqs, int total_q_tokens,
                                int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
                                int head_dim, int block_size, int max_blocks_per_seq, void* stream,
                                char* err_buf, size_t err_buf_len) {
  const __typeof__(&ferrum_fa2_paged_varlen_fwd) next = next_shim();
  if (next == NULL) return FERRUM_FA2_EXCEPTION;
  const int due = is_due();
  if (due && has_fault("abort")) abort();
  if (due && has_fault("exit")) _exit(7);
  while (due && has_fault("hang")) pause();
  const int rounds = due && has_fault("twice") ? 2 : 1;
  int code = 0;
  for (int round = 0; round < rounds && code == 0; ++round) {
    code = next(q, k, v, out, lse, cu_seqlens_q, seq_lens, block_tables, num_seqs, total_q_tokens,
                max_q_len, max_kv_len, num_heads, num_kv_heads, head_dim, block_size,
                max_blocks_per_seq, stream, err_buf, err_buf_len);
  }
  if (due && has_fault("wrong")) *(unsigned short*)out = 0x5640; /* 100 */
  return code;
}

const char* ferrum_fa2_shim_describe(void) {
  return "{\"name\": \"later\", \"memory\": \"host\", \"head_dims\": [128], \"block_sizes\": [16]}";
}
