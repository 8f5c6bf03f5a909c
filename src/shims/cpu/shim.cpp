// SPDX-License-Identifier: MIT
// The bundled CPU shim: the C boundary, the checks, and the choice of instruction set.
// FERRUM_FA2_CPU_ISA = portable | avx2 | avx512 lowers the choice, for tests and comparisons.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

#include "shims/arguments.hpp"
#include "shims/cpu/attention.hpp"
#include "shims/cpu/execute.hpp"
#include "shims/cpu/schedule.hpp"

#if defined(FA2BENCH_X86_KERNELS)
#include <cpuid.h>
#endif

namespace fa2bench::shims::cpu {
namespace {

constexpr int kHeadDims[] = {16,  32,  48,  64,  80,  96,  112, 128,
                             144, 160, 176, 192, 208, 224, 240, 256};
constexpr int kBlockSizes[] = {16, 32, 64, 128, 256};
constexpr Support kSupport = {{kHeadDims, std::size(kHeadDims)},
                              {kBlockSizes, std::size(kBlockSizes)}};

constexpr const char* kDescription =
    "{\"name\": \"ferrum-fa2-cpu\", \"version\": \"" FA2BENCH_SHIM_VERSION
    "\", \"memory\": \"host\", \"head_dims\": [16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, "
    "192, "
    "208, 224, 240, 256], \"block_sizes\": [16, 32, 64, 128, 256]}";

/// The fastest kernel that this CPU runs and the environment allows.
const Kernel& choose_kernel() {
#if defined(FA2BENCH_X86_KERNELS)
  const char* limit = std::getenv("FERRUM_FA2_CPU_ISA");
  const auto limited_to = [limit](const Kernel& kernel) {
    return limit != nullptr && std::strcmp(limit, kernel.name) == 0;
  };
  // F16C is asked of the CPU itself: not every compiler's builtin knows it.
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  const bool has_f16c = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
  if (limited_to(kPortableKernel) || !has_f16c || !__builtin_cpu_supports("avx2") ||
      !__builtin_cpu_supports("fma")) {
    return kPortableKernel;
  }
  if (limited_to(kAvx2Kernel) || !__builtin_cpu_supports("avx512f") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq")) {
    return kAvx2Kernel;
  }
  return kAvx512Kernel;
#else
  return kPortableKernel;
#endif
}

Problem make_problem(const Arguments& a) {
  Problem p = {};
  p.q = static_cast<const std::uint16_t*>(a.q);
  p.k = static_cast<const std::uint16_t*>(a.k);
  p.v = static_cast<const std::uint16_t*>(a.v);
  p.out = static_cast<std::uint16_t*>(a.out);
  p.lse = static_cast<float*>(a.lse);
  p.block_tables = static_cast<const std::int32_t*>(a.block_tables);
  p.total_q_tokens = static_cast<std::size_t>(a.total_q_tokens);
  p.num_heads = static_cast<std::size_t>(a.num_heads);
  p.num_kv_heads = static_cast<std::size_t>(a.num_kv_heads);
  p.group = p.num_heads / p.num_kv_heads;
  p.head_dim = static_cast<std::size_t>(a.head_dim);
  p.block_size = static_cast<std::size_t>(a.block_size);
  p.table_stride = static_cast<std::size_t>(a.max_blocks_per_seq);
  p.score_scale =
      static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(a.head_dim)));
  return p;
}

int forward(const Arguments& arguments, ErrorText text) {
  if (const int code = check_arguments(arguments, kSupport, text); code != FERRUM_FA2_OK) {
    return code;
  }
  if (nothing_to_do(arguments)) return FERRUM_FA2_OK;
  if (const int code = check_sequences(arguments, text); code != FERRUM_FA2_OK) return code;
  const Schedule schedule = make_schedule(arguments, std::thread::hardware_concurrency());
  execute(make_problem(arguments), schedule, choose_kernel());
  return FERRUM_FA2_OK;
}

}  // namespace
}  // namespace fa2bench::shims::cpu

extern "C" int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out,
                                           void* lse, const void* cu_seqlens_q,
                                           const void* seq_lens, const void* block_tables,
                                           int num_seqs, int total_q_tokens, int max_q_len,
                                           int max_kv_len, int num_heads, int num_kv_heads,
                                           int head_dim, int block_size, int max_blocks_per_seq,
                                           void* /*stream*/, char* err_buf, size_t err_buf_len) {
  using namespace fa2bench::shims;
  const ErrorText text = {err_buf, err_buf_len};
  return guarded(text, [&] {
    return cpu::forward(
        {q, k, v, out, lse, cu_seqlens_q, seq_lens, block_tables, num_seqs, total_q_tokens,
         max_q_len, max_kv_len, num_heads, num_kv_heads, head_dim, block_size, max_blocks_per_seq},
        text);
  });
}

extern "C" const char* ferrum_fa2_shim_describe(void) { return fa2bench::shims::cpu::kDescription; }
