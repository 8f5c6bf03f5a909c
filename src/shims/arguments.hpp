// SPDX-License-Identifier: MIT
// The arguments of one call as a value, their checks and error texts: the same for both bundled
// shims. C++17, because the CUDA shim includes it.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "abi/ferrum_fa2_shim.h"

namespace fa2bench::shims {

/// What FERRUM_FA2_EXCEPTION becomes when the thrown value is no std::exception.
inline constexpr int kUnknownException = FERRUM_FA2_EXCEPTION + 1;

/// ferrum_fa2_paged_varlen_fwd's arguments; see ferrum_fa2_shim.h for shapes. Pointers borrow.
struct Arguments {
  const void* q;
  const void* k;
  const void* v;
  void* out;
  void* lse;
  const void* cu_seqlens_q;
  const void* seq_lens;
  const void* block_tables;
  int num_seqs;
  int total_q_tokens;
  int max_q_len;
  int max_kv_len;
  int num_heads;
  int num_kv_heads;
  int head_dim;
  int block_size;
  int max_blocks_per_seq;
};

/// A list of supported values that lives as long as the library.
struct Values {
  const int* first;
  std::size_t count;

  bool contains(int value) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (first[i] == value) return true;
    }
    return false;
  }
};

/// The shapes that a shim has code for; the same as in its description.
struct Support {
  Values head_dims;
  Values block_sizes;
};

/// The caller's buffer for a text. `data` may be null.
struct ErrorText {
  char* data;
  std::size_t size;
};

/// Writes a text, cut to the buffer and always NUL-terminated, and returns `code`.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
inline int
fail(int code, ErrorText text, const char* format, ...) {
  if (text.data != nullptr && text.size > 0) {
    std::va_list values;
    va_start(values, format);
    if (std::vsnprintf(text.data, text.size, format, values) < 0) text.data[0] = '\0';
    va_end(values);
  }
  return code;
}

/// True when there is no query token: nothing to write, whatever the pointers are.
inline bool nothing_to_do(const Arguments& a) { return a.num_seqs == 0 || a.total_q_tokens == 0; }

inline int check_sizes(const Arguments& a, ErrorText text) {
  const struct {
    const char* name;
    int value;
    int least;
  } sizes[] = {
      {"num_seqs", a.num_seqs, 0},
      {"total_q_tokens", a.total_q_tokens, 0},
      {"max_q_len", a.max_q_len, 0},
      {"max_kv_len", a.max_kv_len, 0},
      {"num_heads", a.num_heads, 1},
      {"num_kv_heads", a.num_kv_heads, 1},
      {"head_dim", a.head_dim, 1},
      {"block_size", a.block_size, 1},
      {"max_blocks_per_seq", a.max_blocks_per_seq, 0},
  };
  for (const auto& size : sizes) {
    if (size.value < size.least) {
      return fail(FERRUM_FA2_BAD_SIZE, text, "%s = %d; expected at least %d", size.name, size.value,
                  size.least);
    }
  }
  if (a.num_heads % a.num_kv_heads != 0) {
    return fail(FERRUM_FA2_BAD_SIZE, text, "num_heads = %d is not a multiple of num_kv_heads = %d",
                a.num_heads, a.num_kv_heads);
  }
  const auto most_tokens = static_cast<std::int64_t>(a.num_seqs) * a.max_q_len;
  if (!nothing_to_do(a) && most_tokens < a.total_q_tokens) {
    return fail(FERRUM_FA2_BAD_SIZE, text,
                "total_q_tokens = %d, but num_seqs = %d with max_q_len = %d hold at most %lld",
                a.total_q_tokens, a.num_seqs, a.max_q_len, static_cast<long long>(most_tokens));
  }
  return FERRUM_FA2_OK;
}

inline int check_pointers(const Arguments& a, ErrorText text) {
  const struct {
    const char* name;
    const void* value;
  } pointers[] = {
      {"q", a.q},
      {"k", a.k},
      {"v", a.v},
      {"out", a.out},
      {"lse", a.lse},
      {"cu_seqlens_q", a.cu_seqlens_q},
      {"seq_lens", a.seq_lens},
      {"block_tables", a.block_tables},
  };
  for (const auto& pointer : pointers) {
    if (pointer.value == nullptr) {
      return fail(FERRUM_FA2_NULL_POINTER, text, "%s is a null pointer", pointer.name);
    }
  }
  return FERRUM_FA2_OK;
}

/// Everything that can be told without reading memory. After OK, ask nothing_to_do first: an empty
/// call may come with null pointers.
inline int check_arguments(const Arguments& a, const Support& support, ErrorText text) {
  if (const int code = check_sizes(a, text); code != FERRUM_FA2_OK) return code;
  if (!nothing_to_do(a)) {
    if (const int code = check_pointers(a, text); code != FERRUM_FA2_OK) return code;
  }
  if (!support.head_dims.contains(a.head_dim)) {
    return fail(FERRUM_FA2_UNSUPPORTED, text, "head_dim = %d is not supported", a.head_dim);
  }
  if (!support.block_sizes.contains(a.block_size)) {
    return fail(FERRUM_FA2_UNSUPPORTED, text, "block_size = %d is not supported", a.block_size);
  }
  return FERRUM_FA2_OK;
}

/// Runs `body`, which returns a code, and lets no exception cross the C boundary.
template <class Body>
int guarded(ErrorText text, Body&& body) noexcept {
  try {
    return body();
  } catch (const std::exception& error) {
    return fail(FERRUM_FA2_EXCEPTION, text, "exception: %s", error.what());
  } catch (...) {
    return fail(kUnknownException, text, "unknown exception");
  }
}

}  // namespace fa2bench::shims
