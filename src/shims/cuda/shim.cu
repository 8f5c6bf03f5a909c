// SPDX-License-Identifier: MIT
// The bundled CUDA shim: the C boundary, the checks, the launches.
// Nothing here reads device memory or waits for the device.
#include <cuda_runtime.h>

#include <cmath>
#include <map>
#include <mutex>

#include "shims/arguments.hpp"
#include "shims/cuda/attention.cuh"
#include "shims/cuda/combine.cuh"
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

int launch_failed(ErrorText text, const char* what, cudaError_t error) {
  return fail(FERRUM_FA2_LAUNCH_FAILED, text, "%s: %s (%s)", what, cudaGetErrorString(error),
              cudaGetErrorName(error));
}

/// Takes the error of the call just made, so that it is not blamed on the next one.
int check(cudaError_t error, const char* what, ErrorText text) {
  if (error == cudaSuccess) return FERRUM_FA2_OK;
  (void)cudaGetLastError();
  return launch_failed(text, what, error);
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
  p.score_scale =
      static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(a.head_dim)));
  if (workspace != nullptr) {
    p.tickets = static_cast<unsigned*>(workspace);
    p.partial_out = reinterpret_cast<float*>(static_cast<char*>(workspace) + kTicketBytes);
    p.partial_lse = p.partial_out + plan.partial_rows * a.head_dim;
  }
  return p;
}

using Kernel = void (*)(Params);

/// Per device, and cheap; asking each time needs no memory of which devices were seen.
cudaError_t raise_shared_limit(Kernel kernel, int bytes) {
  if (bytes <= 48 * 1024) return cudaSuccess;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

struct Launch {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cluster = {};

  Launch(const Plan& plan, cudaStream_t stream) {
    config.gridDim.x = static_cast<unsigned>(plan.blocks);
    config.blockDim.x = static_cast<unsigned>(plan.warps) * 32;
    config.dynamicSmemBytes = static_cast<std::size_t>(plan.shared_bytes);
    config.stream = stream;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(plan.cluster), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = plan.cluster > 1 ? 1 : 0;
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
};

int launch(Kernel kernel, const Params& p, const Plan& plan, cudaStream_t stream, ErrorText text) {
  if (const int code =
          check(raise_shared_limit(kernel, plan.shared_bytes), "cudaFuncSetAttribute", text)) {
    return code;
  }
  const Launch launch(plan, stream);
  return check(cudaLaunchKernelEx(&launch.config, kernel, p), "launch of the attention kernel",
               text);
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

/// Pairs of short queries' blocks, each of which has an SM, that run at a time.
int ask_pairs() {
  const Kernel kernel = short_query_kernel<128, 4>;
  Plan plan;
  plan.cluster = 2;
  plan.blocks = 2;
  plan.warps = kMostShortWarps;
  plan.shared_bytes = kMostShortWarps * kShortWarpBytes + 64 * 128 * 4;
  const Launch launch(plan, nullptr);
  int count = 0;
  if (raise_shared_limit(kernel, plan.shared_bytes) != cudaSuccess ||
      cudaOccupancyMaxActiveClusters(&count, kernel, &launch.config) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return count;
}

int ask_device(int device, DeviceFacts& facts, ErrorText text) {
  const auto ask = [&](int& value, cudaDeviceAttr attribute) {
    return check(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute", text);
  };
  int has_clusters = 0;
  if (const int code = ask(facts.sm_count, cudaDevAttrMultiProcessorCount)) return code;
  if (const int code = ask(facts.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin))
    return code;
  if (const int code = ask(has_clusters, cudaDevAttrClusterLaunch)) return code;
  facts.pairs = has_clusters != 0 ? ask_pairs() : 0;
  return FERRUM_FA2_OK;
}

/// What a device is like does not change; asking for its clusters takes a while.
class FactsCache {
 public:
  int get(int device, DeviceFacts& facts, ErrorText text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = facts_.find(device);
    if (known != facts_.end()) {
      facts = known->second;
      return FERRUM_FA2_OK;
    }
    const int code = ask_device(device, facts, text);
    if (code == FERRUM_FA2_OK) facts_[device] = facts;
    return code;
  }

 private:
  std::mutex mutex_;
  std::map<int, DeviceFacts> facts_;
};

FactsCache& device_facts() {
  static auto* const cache = new FactsCache;
  return *cache;
}

template <int kHeadDim>
int launch_plan(const Params& p, const Plan& plan, cudaStream_t stream, ErrorText text) {
  return plan.team > 0 ? launch_short<kHeadDim>(p, plan, stream, text)
                       : launch_long<kHeadDim>(p, plan, stream, text);
}

int forward(const Arguments& a, cudaStream_t stream, ErrorText text) {
  if (const int code = check_arguments(a, kSupport, text)) return code;
  if (nothing_to_do(a)) return FERRUM_FA2_OK;
  int device = 0;
  if (const int code = check(cudaGetDevice(&device), "cudaGetDevice", text)) return code;
  DeviceFacts facts = {};
  if (const int code = device_facts().get(device, facts, text)) return code;
  Plan plan = make_plan(a, facts);
  if (plan.blocks > 0x7FFFFFFF) {
    return fail(FERRUM_FA2_UNSUPPORTED, text, "%lld blocks are more than a grid holds",
                static_cast<long long>(plan.blocks));
  }
  void* workspace = nullptr;
  if (plan.workspace_bytes > 0) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (const int code =
            check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing", text)) {
      return code;
    }
    const bool capturing = status != cudaStreamCaptureStatusNone;
    workspace = workspaces().get(device, stream, capturing, plan.workspace_bytes);
    if (workspace == nullptr) plan = without_workspace(plan, a);
  }
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
