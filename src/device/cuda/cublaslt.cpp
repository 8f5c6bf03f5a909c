// SPDX-License-Identifier: MIT
#include "device/cuda/cublaslt.hpp"

#include <cublasLt.h>

#include <array>
#include <string>

#include "device/dynamic_library.hpp"

namespace fa2bench::cuda {
namespace {

/// The entry points used. The library stays loaded.
struct Library {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtMatmulDescCreate) desc_create = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;
};

bool open(Library& library) {
  const std::string major = std::to_string(CUBLAS_VER_MAJOR);
  const std::array<std::string, 3> names{
      "libcublasLt.so." + major, "/usr/local/cuda/lib64/libcublasLt.so." + major, "libcublasLt.so"};
  void* handle = open_first(names);
  return handle != nullptr && find_function(handle, "cublasLtCreate", library.create) &&
         find_function(handle, "cublasLtMatmulDescCreate", library.desc_create) &&
         find_function(handle, "cublasLtMatrixLayoutCreate", library.layout_create) &&
         find_function(handle, "cublasLtMatmulPreferenceCreate", library.preference_create) &&
         find_function(handle, "cublasLtMatmulPreferenceSetAttribute", library.preference_set) &&
         find_function(handle, "cublasLtMatmulAlgoGetHeuristic", library.heuristic) &&
         find_function(handle, "cublasLtMatmul", library.matmul);
}

}  // namespace

MatrixProduct prepare_matrix_product(int n, const void* a, const void* b, void* c, void* workspace,
                                     std::size_t workspace_bytes, cudaStream_t stream) {
  Library library;
  if (!open(library)) return {nullptr, "libcublasLt cannot be opened: no matrix ceiling"};
  // The descriptors live as long as the process: this is prepared once in a run.
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  const auto size = static_cast<std::uint64_t>(n);
  const bool ready =
      library.create(&handle) == CUBLAS_STATUS_SUCCESS &&
      library.desc_create(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS &&
      library.layout_create(&layout, CUDA_R_16F, size, size, n) == CUBLAS_STATUS_SUCCESS &&
      library.preference_create(&preference) == CUBLAS_STATUS_SUCCESS &&
      library.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                             sizeof workspace_bytes) == CUBLAS_STATUS_SUCCESS &&
      library.heuristic(handle, product, layout, layout, layout, layout, preference, 1, &found,
                        &count) == CUBLAS_STATUS_SUCCESS &&
      count > 0;
  if (!ready) return {nullptr, "cuBLASLt has no f16 product here: no matrix ceiling"};
  return {[=] {
            const float one = 1.0F;
            const float zero = 0.0F;
            return library.matmul(handle, product, &one, a, layout, b, layout, &zero, c, layout, c,
                                  layout, &found.algo, workspace, workspace_bytes,
                                  stream) == CUBLAS_STATUS_SUCCESS;
          },
          ""};
}

}  // namespace fa2bench::cuda
