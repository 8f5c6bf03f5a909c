/* SPDX-License-Identifier: MIT */
/* A shim that begins a range at each call and never ends it. Calls go on to the right shim that
 * MOCK_NEXT names, but for a batch of two query tokens, which fails, and for one of four, which
 * fails inside the range "timed" of a profiler's run. */
#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>

#include "next_shim.h"

int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out, void* lse,
                                const void* cu_seqlens_q, const void* seq_lens,
                                const void* block_tables, int num_seqs, int total_q_tokens,
                                int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
                                int head_dim, int block_size, int max_blocks_per_seq, void* stream,
                                char* err_buf, size_t err_buf_len) {
  nvtxRangePushA("left open");
  if (total_q_tokens == 2) return FERRUM_FA2_LAUNCH_FAILED;
  if (total_q_tokens == 4 && getenv("NVTX_IN_TIMED") != NULL) return FERRUM_FA2_LAUNCH_FAILED;
  const __typeof__(&ferrum_fa2_paged_varlen_fwd) next = next_shim();
  if (next == NULL) return FERRUM_FA2_EXCEPTION;
  return next(q, k, v, out, lse, cu_seqlens_q, seq_lens, block_tables, num_seqs, total_q_tokens,
              max_q_len, max_kv_len, num_heads, num_kv_heads, head_dim, block_size,
              max_blocks_per_seq, stream, err_buf, err_buf_len);
}

const char* ferrum_fa2_shim_describe(void) {
  return "{\"name\": \"unbalanced\", \"memory\": \"host\", \"head_dims\": [128],"
         " \"block_sizes\": [16]}";
}
