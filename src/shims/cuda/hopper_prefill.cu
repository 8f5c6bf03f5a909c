// SPDX-License-Identifier: MIT
// Launches of the Hopper kernel: its view of the pools for the copy engine, its parameters.
#include "shims/cuda/hopper_prefill.hpp"

#include <cmath>

#include "shims/cuda/hopper_combine.cuh"
#include "shims/cuda/hopper_prefill.cuh"

namespace fa2bench::shims::cuda {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

int failed(ErrorText text, const char* what, cudaError_t error) {
  (void)cudaGetLastError();  // so that it is not blamed on the next call
  return fail(FERRUM_FA2_LAUNCH_FAILED, text, "%s: %s (%s)", what, cudaGetErrorString(error),
              cudaGetErrorName(error));
}

/// The driver's function, or null: the library links no driver.
Encode find_encode() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = {};
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault,
                                       &result) != cudaSuccess) {
    (void)cudaGetLastError();
    return nullptr;
  }
  return result == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(found) : nullptr;
}

struct Axis {
  cuuint64_t size;
  cuuint64_t bytes;  ///< from one to the next; not used for the first, whose elements are f16
  cuuint32_t box;
};

template <int kAxes>
bool encode(Encode function, CUtensorMap& map, const void* data, const Axis (&axes)[kAxes]) {
  cuuint64_t sizes[kAxes];
  cuuint64_t strides[kAxes];
  cuuint32_t box[kAxes];
  cuuint32_t steps[kAxes];
  for (int i = 0; i < kAxes; ++i) {
    sizes[i] = axes[i].size;
    box[i] = axes[i].box;
    steps[i] = 1;
    if (i > 0) strides[i - 1] = axes[i].bytes;
  }
  return function(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, kAxes, const_cast<void*>(data), sizes,
                  strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                  CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

bool make_maps(const Arguments& a, const HopperPlan& plan, HopperMaps& maps) {
  static const Encode function = find_encode();
  if (function == nullptr) return false;
  constexpr cuuint64_t kRow = kHopperHeadDim * 2;  // bytes
  const auto heads = static_cast<cuuint64_t>(a.num_heads);
  const auto kv_heads = static_cast<cuuint64_t>(a.num_kv_heads);
  const auto group = static_cast<cuuint32_t>(a.num_heads / a.num_kv_heads);
  const Axis q[] = {{64, 0, 64},
                    {heads, kRow, group},
                    {2, kRow / 2, 1},
                    {static_cast<cuuint64_t>(a.total_q_tokens), heads * kRow,
                     static_cast<cuuint32_t>(plan.tokens_per_tile)}};
  // How many blocks there are is not told. Only those in the table are asked for.
  const cuuint64_t most_groups = 0x7FFFFFFF;
  const auto box_groups = static_cast<cuuint32_t>(std::min(a.block_size, kHopperKeys) / 8);
  const Axis pool[] = {{64, 0, 64},
                       {8, kv_heads * kRow, 8},
                       {2, kRow / 2, 2},
                       {most_groups, 8 * kv_heads * kRow, box_groups},
                       {kv_heads, kRow, 1}};
  Axis out[] = {q[0], q[1], q[2], q[3]};
  out[3].box = std::max(64 / group, 1U);
  return encode(function, maps.q, a.q, q) && encode(function, maps.out, a.out, out) &&
         encode(function, maps.k, a.k, pool) && encode(function, maps.v, a.v, pool);
}

HopperParams make_params(const Arguments& a, const HopperPlan& plan, void* workspace) {
  HopperParams p = {};
  p.out = static_cast<__half*>(a.out);
  p.lse = static_cast<float*>(a.lse);
  p.cu_seqlens_q = static_cast<const int*>(a.cu_seqlens_q);
  p.seq_lens = static_cast<const int*>(a.seq_lens);
  p.block_tables = static_cast<const int*>(a.block_tables);
  p.blocks = static_cast<unsigned>(plan.blocks);
  p.slots = static_cast<int>(plan.slots);
  p.tiles_per_seq = static_cast<int>(plan.tiles_per_seq);
  p.table_stride = a.max_blocks_per_seq;
  p.num_seqs = a.num_seqs;
  p.total_q_tokens = a.total_q_tokens;
  p.max_q_len = a.max_q_len;
  p.max_kv_len = a.max_kv_len;
  p.least_q_len = plan.least_q_len;
  p.num_heads = a.num_heads;
  p.num_kv_heads = a.num_kv_heads;
  p.group = a.num_heads / a.num_kv_heads;
  p.group_inverse = 65536 / p.group + 1;
  p.tokens_per_tile = plan.tokens_per_tile;
  while ((1 << p.block_shift) < a.block_size) ++p.block_shift;
  p.splits = plan.splits;
  p.split_keys = plan.split_keys;
  p.score_scale =
      static_cast<float>(1.4426950408889634 / std::sqrt(static_cast<double>(a.head_dim)));
  if (workspace != nullptr) {
    p.partial_out =
        reinterpret_cast<float*>(static_cast<char*>(workspace) + kHopperWorkspaceOffset);
    p.partial_lse = p.partial_out + static_cast<std::size_t>(plan.splits) *
                                        static_cast<std::size_t>(a.total_q_tokens) *
                                        static_cast<std::size_t>(a.num_heads) * kHopperHeadDim;
  }
  return p;
}

}  // namespace

int launch_hopper_prefill(const Arguments& a, const HopperPlan& plan, void* workspace,
                          cudaStream_t stream, ErrorText text) {
  HopperMaps maps;
  if (!make_maps(a, plan, maps)) {
    return fail(FERRUM_FA2_LAUNCH_FAILED, text, "cuTensorMapEncodeTiled is missing or failed");
  }
  const HopperParams p = make_params(a, plan, workspace);
  // Per device, and cheap; asking each time needs no memory of which devices were seen.
  if (const cudaError_t error = cudaFuncSetAttribute(
          hopper_prefill_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kHopperSharedBytes)) {
    return failed(text, "cudaFuncSetAttribute", error);
  }
  hopper_prefill_kernel<<<static_cast<unsigned>(plan.grid), kHopperThreads, kHopperSharedBytes,
                          stream>>>(maps, p);
  if (const cudaError_t error = cudaGetLastError()) {
    return failed(text, "launch of the prefill kernel", error);
  }
  if (plan.splits == 1) return FERRUM_FA2_OK;
  const std::int64_t rows = static_cast<std::int64_t>(a.total_q_tokens) * a.num_heads;
  const auto blocks = static_cast<unsigned>(ceil_div(rows, kHopperCombineWarps));
  hopper_combine_kernel<<<blocks, kHopperCombineWarps * 32, 0, stream>>>(p);
  if (const cudaError_t error = cudaGetLastError()) {
    return failed(text, "launch of the combine kernel", error);
  }
  return FERRUM_FA2_OK;
}

}  // namespace fa2bench::shims::cuda
