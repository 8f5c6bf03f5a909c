// SPDX-License-Identifier: MIT
// The bundled CUDA shim: the C boundary, the checks, the launches.
// Nothing here reads device memory or waits for the device.
#include <cuda_runtime.h>

#include <cmath>

#include "shims/arguments.hpp"
#include "shims/cuda/attention.cuh"
#include "shims/cuda/combine.cuh"
#include "shims/cuda/device_facts.cuh"
#include "shims/cuda/hopper_prefill.hpp"
#include "shims/cuda/launch.cuh"
#include "shims/cuda/plan.hpp"
#include "shims/cuda/short_queries.cuh"
#include "shims/cuda/workspace.hpp"

namespace fa2bench::shims::cuda {
namespace {

constexpr int kHeadDims[] = {64, 128};
constexpr int kBlockSizes[] = {16, 32, 64, 128, 256};  // powers of two: positions are shifted
constexpr Support kSupport = {{kHeadDims, 2}, {kBlockSizes, 5}};

constexpr const char* kDescription =
    "{\"name\": \"ferrum-fa2-cuda\", \"version\": \"" FA2BENCH_SHIM_VERSION
    "\", \"memory\": \"device\", \"head_dims\": [64, 128], "
    "\"block_sizes\": [16, 32, 64, 128, 256]}";

/// Never destroyed: streams may outlive static objects at exit.
WorkspaceCache& workspaces() {
  static auto* const cache = new WorkspaceCache;
  return *cache;
}

Params make_params(const Arguments& a, const Plan& plan, void* workspace) {
  Params p = {};
  p.q = static_cast<const __half*>(a.q);
  p.k = static_cast<const __half*>(a.k);
  p.v = static_cast<const __half*>(a.v);
  p.out = static_cast<__half*>(a.out);
  p.lse = static_cast<float*>(a.lse);
  p.cu_seqlens_q = static_cast<const int*>(a.cu_seqlens_q);
  p.seq_lens = static_cast<const int*>(a.seq_lens);
  p.block_tables = static_cast<const int*>(a.block_tables);
  p.slots = plan.slots;
  p.tiles_per_seq = plan.tiles_per_seq;
  p.split_keys = plan.split_keys;
  p.table_stride = a.max_blocks_per_seq;
  p.num_seqs = a.num_seqs;
  p.total_q_tokens = a.total_q_tokens;
  p.num_heads = a.num_heads;
  p.num_kv_heads = a.num_kv_heads;
  p.group = a.num_heads / a.num_kv_heads;
  while ((1 << p.block_shift) < a.block_size) ++p.block_shift;
  p.splits = plan.splits;
  if (may_guess(a)) {
    p.guess_q_len = a.max_q_len;
    p.guess_kv_len = a.max_kv_len;
  }
  p.score_scale =
      static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(a.head_dim)));
  if (workspace != nullptr) {
    p.tickets = static_cast<unsigned*>(workspace);
    p.partial_out = reinterpret_cast<float*>(static_cast<char*>(workspace) + kTicketBytes);
    p.partial_lse = p.partial_out + plan.partial_rows * a.head_dim;
  }
  return p;
}

template <int kHeadDim>
int launch_short(const Params& p, const Plan& plan, cudaStream_t stream, ErrorText text) {
  const Kernel kernel = plan.team == 1   ? short_query_kernel<kHeadDim, 1>
                        : plan.team == 2 ? short_query_kernel<kHeadDim, 2>
                                         : short_query_kernel<kHeadDim, 4>;
  return launch(kernel, p, plan, stream, text);
}

template <int kHeadDim>
int launch_long(const Params& p, const Plan& plan, cudaStream_t stream, ErrorText text) {
  const Kernel kernel = plan.warps == 1 ? attention_kernel<kHeadDim, kSmallRows / 16>
                                        : attention_kernel<kHeadDim, kLargeRows / 16>;
  const int code = launch(kernel, p, plan, stream, text);
  if (code != FERRUM_FA2_OK || plan.splits == 1) return code;
  const std::int64_t rows = static_cast<std::int64_t>(p.total_q_tokens) * p.num_heads;
  const auto blocks = static_cast<unsigned>(ceil_div(rows, kCombineWarps));
  combine_kernel<kHeadDim><<<blocks, kCombineWarps * 32, 0, stream>>>(p);
  return check(cudaGetLastError(), "launch of the combine kernel", text);
}

template <int kHeadDim>
int launch_plan(const Params& p, const Plan& plan, cudaStream_t stream, ErrorText text) {
  return plan.team > 0 ? launch_short<kHeadDim>(p, plan, stream, text)
                       : launch_long<kHeadDim>(p, plan, stream, text);
}

/// Device memory for partial results; null when there is none, as while the stream is captured.
int find_workspace(int device, cudaStream_t stream, std::size_t bytes, void*& workspace,
                   ErrorText text) {
  workspace = nullptr;
  if (bytes == 0) return FERRUM_FA2_OK;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (const int code =
          check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing", text)) {
    return code;
  }
  workspace = workspaces().get(device, stream, status != cudaStreamCaptureStatusNone, bytes);
  return FERRUM_FA2_OK;
}

#if defined(FA2BENCH_SHIM_HOPPER)
static_assert(kHopperWorkspaceOffset >= kTicketBytes, "a prefill must leave tickets alone");

int prefill_on_hopper(const Arguments& a, int device, int sm_count, cudaStream_t stream,
                      ErrorText text) {
  HopperPlan plan = make_hopper_plan(a, sm_count);
  void* workspace = nullptr;
  if (const int code = find_workspace(device, stream, plan.workspace_bytes, workspace, text)) {
    return code;
  }
  if (workspace == nullptr) plan = hopper_with_splits(plan, a, sm_count, 1);
  return launch_hopper_prefill(a, plan, workspace, stream, text);
}
#endif

int forward(const Arguments& a, cudaStream_t stream, ErrorText text) {
  if (const int code = check_arguments(a, kSupport, text)) return code;
  if (nothing_to_do(a)) return FERRUM_FA2_OK;
  int device = 0;
  if (const int code = check(cudaGetDevice(&device), "cudaGetDevice", text)) return code;
  DeviceFacts facts = {};
  if (const int code = device_facts().get(device, facts, text)) return code;
#if defined(FA2BENCH_SHIM_HOPPER)
  if (fits_hopper_prefill(a, facts.major, facts.minor)) {
    return prefill_on_hopper(a, device, facts.sm_count, stream, text);
  }
#endif
  Plan plan = make_plan(a, facts);
  if (plan.blocks > 0x7FFFFFFF) {
    return fail(FERRUM_FA2_UNSUPPORTED, text, "%lld blocks are more than a grid holds",
                static_cast<long long>(plan.blocks));
  }
  void* workspace = nullptr;
  if (const int code = find_workspace(device, stream, plan.workspace_bytes, workspace, text)) {
    return code;
  }
  if (workspace == nullptr) plan = without_workspace(plan, a);
  const Params p = make_params(a, plan, workspace);
  return a.head_dim == 128 ? launch_plan<128>(p, plan, stream, text)
                           : launch_plan<64>(p, plan, stream, text);
}

}  // namespace
}  // namespace fa2bench::shims::cuda

extern "C" int ferrum_fa2_paged_varlen_fwd(const void* q, const void* k, const void* v, void* out,
                                           void* lse, const void* cu_seqlens_q,
                                           const void* seq_lens, const void* block_tables,
                                           int num_seqs, int total_q_tokens, int max_q_len,
                                           int max_kv_len, int num_heads, int num_kv_heads,
                                           int head_dim, int block_size, int max_blocks_per_seq,
                                           void* stream, char* err_buf, size_t err_buf_len) {
  using namespace fa2bench::shims;
  const ErrorText text = {err_buf, err_buf_len};
  return guarded(text, [&] {
    return cuda::forward(
        {q, k, v, out, lse, cu_seqlens_q, seq_lens, block_tables, num_seqs, total_q_tokens,
         max_q_len, max_kv_len, num_heads, num_kv_heads, head_dim, block_size, max_blocks_per_seq},
        static_cast<cudaStream_t>(stream), text);
  });
}

extern "C" const char* ferrum_fa2_shim_describe(void) {
  return fa2bench::shims::cuda::kDescription;
}
