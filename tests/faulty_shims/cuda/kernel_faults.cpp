// SPDX-License-Identifier: MIT
// Wrong values, stray writes, and a kernel that takes longer than it has to.
#include <array>
#include <cstdlib>
#include <tuple>

#include "abi/ferrum_fa2_shim.h"
#include "cuda/attention.hpp"

namespace fa2bench::faulty {
namespace {

Fault with(const char* name, void (*spoil)(KernelPolicy&)) {
  KernelPolicy policy;
  spoil(policy);
  return {name, [policy](const Call& call) { return attend(call, policy); }};
}

int noop(const Call& /*call*/) { return FERRUM_FA2_OK; }

int clobber_inputs(const Call& call) {
  if (const int code = compute(call); code != FERRUM_FA2_OK) return code;
  return answer(call, queue_clobber(call, stream_of(call)));
}

/// Every second call is off by 0.01 in the first head of the first token, as if a thread had won.
int race(const Call& call) {
  KernelPolicy policy;
  if (call.number % 2 == 0) policy.first_row_error = 0.01F;
  return attend(call, policy);
}

int good_first_10(const Call& call) {
  KernelPolicy policy;
  policy.zeros = call.number > 10;
  return attend(call, policy);
}

/// FA2BENCH_FAULT_PERCENT of the kernel's own time more; 5 if that is not set.
int slow_gpu(const Call& call) {
  static const float percent = [] {
    const char* text = std::getenv("FA2BENCH_FAULT_PERCENT");
    return text == nullptr ? 5.0F : std::strtof(text, nullptr);
  }();
  KernelPolicy policy;
  policy.extra_time_percent = percent;
  return attend(call, policy);
}

/// Computes once for the same pointers and sizes, and copies that result from then on.
int cached_output(const Call& call) {
  using Key = std::tuple<std::array<const void*, 8>, std::array<int, 9>>;
  struct Entry {
    Key key;
    void* out;
    void* lse;
  };
  static auto* const cache = new std::vector<Entry>;
  const Key key = {
      {call.q, call.k, call.v, call.out, call.lse, call.cu_seqlens_q, call.seq_lens,
       call.block_tables},
      {call.num_seqs, call.total_q_tokens, call.max_q_len, call.max_kv_len, call.num_heads,
       call.num_kv_heads, call.head_dim, call.block_size, call.max_blocks_per_seq}};
  const std::size_t out_bytes = out_elements(call) * sizeof *call.out;
  const std::size_t lse_bytes = lse_elements(call) * sizeof *call.lse;
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    return answer(call,
                  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_of(call)));
  };
  for (const Entry& entry : *cache) {
    if (entry.key != key) continue;
    const int code = copy(call.out, entry.out, out_bytes);
    return code != FERRUM_FA2_OK ? code : copy(call.lse, entry.lse, lse_bytes);
  }
  if (const int code = compute(call); code != FERRUM_FA2_OK) return code;
  Entry entry = {key, nullptr, nullptr};
  if (const int code = answer(call, cudaMalloc(&entry.out, out_bytes)); code != 0) return code;
  if (const int code = answer(call, cudaMalloc(&entry.lse, lse_bytes)); code != 0) return code;
  cache->push_back(entry);
  const int code = copy(entry.out, call.out, out_bytes);
  return code != FERRUM_FA2_OK ? code : copy(entry.lse, call.lse, lse_bytes);
}

}  // namespace

std::vector<Fault> kernel_faults() {
  using Offset = KernelPolicy::Offset;
  return {
      with("zeros", [](KernelPolicy& p) { p.zeros = true; }),
      with("lse_unwritten", [](KernelPolicy& p) { p.lse = false; }),
      with("drop_last_block", [](KernelPolicy& p) { p.drop_last_block = true; }),
      with("topleft_causal", [](KernelPolicy& p) { p.top_left = true; }),
      with("gqa_mod", [](KernelPolicy& p) { p.gqa_mod = true; }),
      with("int32_offset", [](KernelPolicy& p) { p.offset = Offset::int32_bytes; }),
      with("uint32_offset", [](KernelPolicy& p) { p.offset = Offset::uint32_elements; }),
      with("combine_stride", [](KernelPolicy& p) { p.overrun = true; }),
      {"noop", noop},
      {"clobber_inputs", clobber_inputs},
      {"race", race},
      {"good_first_10", good_first_10},
      {"cached_output", cached_output},
      {"slow_gpu", slow_gpu},
  };
}

}  // namespace fa2bench::faulty
