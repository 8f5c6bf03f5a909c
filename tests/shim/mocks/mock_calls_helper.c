/* SPDX-License-Identifier: MIT */
/* A shim that calls MOCK_CALLS(), a function from somewhere else, for max_q_len > 1 only. */
#include "ferrum_fa2_shim.h"

int MOCK_CALLS(void);
#ifdef MOCK_CALLS_TOO
int MOCK_CALLS_TOO(void);
#endif

int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out, void* lse,
                                const void* cu_seqlens_q, const void* seq_lens,
                                const void* block_tables, int num_seqs, int total_q_tokens,
                                int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
                                int head_dim, int block_size, int max_blocks_per_seq, void* stream,
                                char* err_buf, size_t err_buf_len) {
  (void)q, (void)k, (void)v, (void)out, (void)lse, (void)cu_seqlens_q, (void)seq_lens;
  (void)block_tables, (void)num_seqs, (void)total_q_tokens, (void)max_kv_len, (void)num_heads;
  (void)num_kv_heads, (void)head_dim, (void)block_size, (void)max_blocks_per_seq, (void)stream;
  (void)err_buf, (void)err_buf_len;
#ifdef MOCK_CALLS_TOO
  if (max_q_len > 2) return MOCK_CALLS_TOO();
#endif
  return max_q_len > 1 ? MOCK_CALLS() : FERRUM_FA2_OK;
}
