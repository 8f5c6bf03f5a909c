/* SPDX-License-Identifier: MIT */
/*
 * The contract between an engine (Ferrum), a benchmark (ferrum-fa2-bench) and a paged-attention shim.
 *
 * A shim is a shared library that exports ferrum_fa2_paged_varlen_fwd and, optionally,
 * ferrum_fa2_shim_describe. It is loaded with dlopen(RTLD_NOW | RTLD_LOCAL) and is never unloaded.
 * This header is all that a shim author needs; it is valid C11 and C++.
 *
 * What is computed
 * ----------------
 * Causal attention over a paged KV pool, for a batch of sequences of different lengths. With
 *   q_len(s)  = cu_seqlens_q[s + 1] - cu_seqlens_q[s]
 *   kv_len(s) = seq_lens[s]                     (length AFTER this step: it contains the queries)
 * query token i of sequence s sees the keys 0 ... kv_len(s) - q_len(s) + i (bottom-right aligned).
 * Query head h reads KV head h / (num_heads / num_kv_heads). For every query token and head:
 *   score_j = dot(q, k_j) / sqrt(head_dim)
 *   out     = sum_j softmax(score)_j * v_j
 *   lse     = ln(sum_j exp(score_j))            (natural logarithm, of the scaled scores)
 * Key j of sequence s lies in pool block block_tables[s][j / block_size], slot j % block_size.
 *
 * Rows without keys
 * -----------------
 * Where kv_len(s) < q_len(s) the first q_len(s) - kv_len(s) query tokens see no key, and where
 * kv_len(s) is 0 none does. The formulas say nothing of their rows, and shims differ: the bundled
 * ones leave what a sum over nothing is, out = 0 and lse = -inf, which is what to do without a reason
 * for something else; FlashAttention-2 leaves 0 and +inf; others leave NaN, or do not write these
 * rows. The benchmark names what it finds there and takes none of it for an error; a caller should
 * not rely on it. All other rows of the batch must be right. q_len(s) = 0 is legal as well: such a
 * sequence has no row, and its keys need not be read. A batch without any query token has nothing to
 * write: return FERRUM_FA2_OK, or refuse it with FERRUM_FA2_BAD_SIZE (Ferrum does not call for one).
 *
 * What a shim may not assume
 * --------------------------
 * - Blocks of a sequence are neither adjacent nor ordered, and may be shared between sequences.
 * - Table entries past ceil(kv_len / block_size) are garbage (-1, INT_MAX, ...): never follow one.
 * - Slots past kv_len in the last block hold garbage, NaN included; so do unused blocks.
 * - max_blocks_per_seq is the row stride of block_tables and may be larger than any sequence needs.
 * - max_q_len and max_kv_len are upper bounds; they may be larger than the longest sequence.
 * - num_blocks is not passed: block offsets exceed 2^31 (and 2^32) elements in big pools; use 64 bits.
 */
#ifndef FERRUM_FA2_SHIM_H
#define FERRUM_FA2_SHIM_H

#include <stddef.h>

#if defined(_WIN32)
#define FERRUM_FA2_SHIM_EXPORT __declspec(dllexport)
#else
#define FERRUM_FA2_SHIM_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Return codes. Any other value is reported as it is. */
enum ferrum_fa2_status {
    FERRUM_FA2_OK = 0,
    FERRUM_FA2_NULL_POINTER = 1,
    FERRUM_FA2_BAD_SIZE = 2,      /* a negative or inconsistent size */
    FERRUM_FA2_UNSUPPORTED = 3,   /* a valid shape that this shim has no code for */
    FERRUM_FA2_LAUNCH_FAILED = 4, /* the device refused the work */
    FERRUM_FA2_EXCEPTION = 10     /* a C++ exception was caught at the boundary; 11: not std::exception */
};

/*
 * Enqueues (device shim) or performs (host shim) one batched call.
 *
 * Pointers are device memory unless the shim describes itself as "memory": "host". All are read
 * only but out and lse, every element of which must be written, rows without keys excepted.
 *
 *   q, out             f16 [total_q_tokens, num_heads, head_dim]
 *   k, v               f16 [num_blocks, block_size, num_kv_heads, head_dim]
 *   lse                f32 [num_heads, total_q_tokens]
 *   cu_seqlens_q       i32 [num_seqs + 1], from 0 to total_q_tokens
 *   seq_lens           i32 [num_seqs]
 *   block_tables       i32 [num_seqs, max_blocks_per_seq]
 *   stream             CUstream / cudaStream_t for the work; NULL for a host shim
 *   err_buf            where a text goes when the result is not FERRUM_FA2_OK; may be NULL
 *   err_buf_len        its size in bytes, the terminating NUL included; Ferrum passes 512
 *
 * f16 is IEEE binary16; rows are packed, with no padding. All work must be ordered on `stream`; the
 * call should not synchronize with the host, allocate, or start work on another stream. It must not
 * throw, exit or abort. It may be called from any thread, on several streams.
 *
 * Returns FERRUM_FA2_OK or one of the codes above, with a text in err_buf.
 */
FERRUM_FA2_SHIM_EXPORT int ferrum_fa2_paged_varlen_fwd(
    const void *q, const void *k, const void *v, void *out, void *lse, const void *cu_seqlens_q,
    const void *seq_lens, const void *block_tables, int num_seqs, int total_q_tokens, int max_q_len,
    int max_kv_len, int num_heads, int num_kv_heads, int head_dim, int block_size,
    int max_blocks_per_seq, void *stream, char *err_buf, size_t err_buf_len);

/*
 * Optional. Returns a static, NUL-terminated JSON object, for example
 *   {"name": "my-kernel", "version": "1.2", "memory": "device",
 *    "head_dims": [64, 128], "block_sizes": [16]}
 * Without it a shim is taken to use device memory, head_dim 128 and block_size 16. Workloads outside
 * the described shapes are reported as unsupported and are not called.
 */
FERRUM_FA2_SHIM_EXPORT const char *ferrum_fa2_shim_describe(void);

#ifdef __cplusplus
}
#endif

#endif /* FERRUM_FA2_SHIM_H */
