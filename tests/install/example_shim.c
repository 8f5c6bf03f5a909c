/* SPDX-License-Identifier: MIT */
/* A complete shim in plain C11: slow, on the host, and right on every point of the contract.
 *   cc -std=c11 -O3 -shared -fPIC -I PREFIX/include example_shim.c -o example_shim.so -lm */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ferrum_fa2_shim.h"

enum { MAX_HEAD_DIM = 512 };

static float half_to_float(uint16_t h) {
  uint32_t bits = (uint32_t)(h & 0x7FFFU) << 13;
  float value;
  int finite = (h & 0x7C00U) != 0x7C00U;
  if (!finite) bits |= 0x7F800000U;
  memcpy(&value, &bits, sizeof value);
  if (finite) value *= 0x1p112f; /* moves the exponent's bias from 15 to 127; exact */
  return (h & 0x8000U) ? -value : value;
}

static uint16_t double_to_half(double x) {
  uint16_t sign = signbit(x) ? 0x8000U : 0U;
  int exponent;
  if (isnan(x)) return 0x7E00U;
  if (fabs(x) >= 65520.0) return (uint16_t)(sign | 0x7C00U);
  (void)frexp(x, &exponent);
  if (x == 0.0 || exponent < -13) exponent = -13; /* zero or subnormal */
  /* Eleven significant bits, to nearest even; a carry moves into the exponent by itself. */
  unsigned digits = (unsigned)nearbyint(ldexp(fabs(x), 11 - exponent));
  return (uint16_t)(sign | (digits + ((unsigned)(exponent + 13) << 10)));
}

static int refuse(int code, const char* text, char* err_buf, size_t err_buf_len) {
  if (err_buf != NULL && err_buf_len > 0) snprintf(err_buf, err_buf_len, "%s", text);
  return code;
}

const char* ferrum_fa2_shim_describe(void) {
  return "{\"name\": \"example\", \"version\": \"1.0\", \"memory\": \"host\","
         " \"head_dims\": [64, 128, 256], \"block_sizes\": [8, 16, 32, 64]}";
}

int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out, void* lse,
                                const void* cu_seqlens_q, const void* seq_lens,
                                const void* block_tables, int num_seqs, int total_q_tokens,
                                int max_q_len, int max_kv_len, int num_heads, int num_kv_heads,
                                int head_dim, int block_size, int max_blocks_per_seq, void* stream,
                                char* err_buf, size_t err_buf_len) {
  const int32_t *first_token = cu_seqlens_q, *kv_lens = seq_lens, *tables = block_tables;
  (void)max_q_len, (void)max_kv_len, (void)stream; /* bounds and device only: not needed here */

  if (num_seqs < 0 || total_q_tokens < 0 || num_heads < 1 || num_kv_heads < 1 || head_dim < 1 ||
      block_size < 1 || max_blocks_per_seq < 0)
    return refuse(FERRUM_FA2_BAD_SIZE, "a size is out of range", err_buf, err_buf_len);
  if (head_dim > MAX_HEAD_DIM || num_heads % num_kv_heads != 0)
    return refuse(FERRUM_FA2_UNSUPPORTED, "head_dim > 512, or heads do not divide evenly", err_buf,
                  err_buf_len);
  if (num_seqs == 0 || total_q_tokens == 0) return FERRUM_FA2_OK;
  if (!q || !k || !v || !out || !lse || !first_token || !kv_lens || !tables)
    return refuse(FERRUM_FA2_NULL_POINTER, "a pointer is null", err_buf, err_buf_len);

  const double scale = 1.0 / sqrt((double)head_dim);
  for (int seq = 0; seq < num_seqs; ++seq) {
    const int32_t* table = tables + (size_t)seq * (size_t)max_blocks_per_seq;
    const int q_len = first_token[seq + 1] - first_token[seq];
    for (int i = 0; i < q_len; ++i) {
      const int visible = kv_lens[seq] - q_len + i + 1; /* causal, bottom-right; may be <= 0 */
      for (int head = 0; head < num_heads; ++head) {
        const size_t token = (size_t)(first_token[seq] + i);
        const size_t kv_head = (size_t)(head / (num_heads / num_kv_heads));
        const size_t row = (token * (size_t)num_heads + (size_t)head) * (size_t)head_dim;
        double largest = -INFINITY, sum = 0.0, acc[MAX_HEAD_DIM] = {0.0};
        for (int j = 0; j < visible; ++j) {
          /* Look up only blocks that hold visible keys, and use 64-bit offsets. */
          const size_t slot =
              (size_t)table[j / block_size] * (size_t)block_size + (size_t)(j % block_size);
          const size_t key = (slot * (size_t)num_kv_heads + kv_head) * (size_t)head_dim;
          double score = 0.0;
          for (int d = 0; d < head_dim; ++d)
            score += (double)half_to_float(((const uint16_t*)q)[row + (size_t)d]) *
                     half_to_float(((const uint16_t*)k)[key + (size_t)d]);
          score *= scale;
          if (score > largest) { /* online softmax: all sums are relative to the largest */
            const double shrink = exp(largest - score);
            for (int d = 0; d < head_dim; ++d) acc[d] *= shrink;
            sum *= shrink;
            largest = score;
          }
          const double weight = exp(score - largest);
          sum += weight;
          for (int d = 0; d < head_dim; ++d)
            acc[d] += weight * half_to_float(((const uint16_t*)v)[key + (size_t)d]);
        }
        /* A row that sees no key: zeros, and the logarithm of nothing. */
        for (int d = 0; d < head_dim; ++d)
          ((uint16_t*)out)[row + (size_t)d] = double_to_half(sum > 0.0 ? acc[d] / sum : 0.0);
        ((float*)lse)[(size_t)head * (size_t)total_q_tokens + token] =
            sum > 0.0 ? (float)(largest + log(sum)) : -INFINITY;
      }
    }
  }
  return FERRUM_FA2_OK;
}
