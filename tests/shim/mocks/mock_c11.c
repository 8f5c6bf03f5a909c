/* SPDX-License-Identifier: MIT */
/* A shim in C11 that knows the contract's header only. num_seqs chooses what a call does. */
#include "ferrum_fa2_shim.h"

#include <string.h>

/* Writes at most the buffer, with its NUL. */
static void say(char* err_buf, size_t err_buf_len, const char* text) {
  size_t length = strlen(text);
  if (err_buf == NULL || err_buf_len == 0) return;
  if (length >= err_buf_len) length = err_buf_len - 1;
  memcpy(err_buf, text, length);
  err_buf[length] = '\0';
}

int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out, void* lse,
                                const void* cu_seqlens_q, const void* seq_lens,
                                const void* block_tables, int num_seqs, int total_q_tokens,
                                int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
                                int head_dim, int block_size, int max_blocks_per_seq, void* stream,
                                char* err_buf, size_t err_buf_len) {
  (void)k, (void)v, (void)cu_seqlens_q, (void)seq_lens, (void)block_tables, (void)stream;
  switch (num_seqs) {
    case 0: /* success that leaves a text behind */
      say(err_buf, err_buf_len, "left over");
      return FERRUM_FA2_OK;
    case 1: /* an ordinary refusal */
      say(err_buf, err_buf_len, "head_dim 96\nis not built");
      return FERRUM_FA2_UNSUPPORTED;
    case 2: /* no NUL */
      memset(err_buf, 'x', err_buf_len);
      return FERRUM_FA2_LAUNCH_FAILED;
    case 3: /* no text */
      return FERRUM_FA2_NULL_POINTER;
    case 4: /* not UTF-8, and a terminal escape */
      say(err_buf, err_buf_len, "bad \xFF\xC0\xAF \x1B[31m");
      return FERRUM_FA2_BAD_SIZE;
    case 5: /* one byte too many */
      memset(err_buf, 0, err_buf_len + 1);
      return FERRUM_FA2_OK;
    case 6: /* do all 20 arguments arrive in their places? */
      ((int*)out)[0] = total_q_tokens + 10 * max_q_len + 100 * max_kv_len + 1000 * num_heads;
      ((int*)lse)[0] = num_kv_heads + 10 * head_dim + 100 * block_size + 1000 * max_blocks_per_seq;
      return q == stream ? FERRUM_FA2_OK : 77;
    default:
      return num_seqs;
  }
}

#ifdef MOCK_DESCRIBE
const char* ferrum_fa2_shim_describe(void) { return MOCK_DESCRIBE; }
#endif
