// SPDX-License-Identifier: MIT
// cuBLASLt, opened at run time where present: one f16 matrix product for the matrix ceiling.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <string>

namespace fa2bench::cuda {

/// C = A B, square, f16 in and out with f32 sums.
struct MatrixProduct {
  std::function<bool()> enqueue;  ///< one product on the stream given; false if it failed
  std::string obstacle;           ///< why there is none; "" if enqueue is set
};

/// Prepares a product of [n, n] matrices; a, b, c and workspace are device memory and must stay.
MatrixProduct prepare_matrix_product(int n, const void* a, const void* b, void* c, void* workspace,
                                     std::size_t workspace_bytes, cudaStream_t stream);

}  // namespace fa2bench::cuda
