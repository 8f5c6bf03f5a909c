// SPDX-License-Identifier: MIT
// Device memory for tickets and partial results, one piece per device and stream.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "shims/cuda/plan.hpp"

namespace fa2bench::shims::cuda {

/// Calls on one stream run in order, so they share a piece; calls on other streams have their own.
/// A piece lives until the process ends, but for one that was too small, which is freed in stream
/// order. One that a graph capture has seen is never freed: the graph still points at it. Such a
/// graph must not run at the same time as calls on the stream it was captured from: they would take
/// each other's tickets.
class WorkspaceCache {
 public:
  /// Device memory of at least `bytes`, or null: during a capture when a new piece would be needed,
  /// and when there is no memory. The caller then works without. Any thread may call.
  void* get(int device, cudaStream_t stream, bool capturing, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Piece& piece = pieces_[{device, stream}];
    // Asking for the id would end a capture; a stream that captures has been seen before, or it
    // gets no piece anyway.
    if (!capturing) renew_if_reused(piece, stream);
    if (piece.bytes < bytes && (capturing || !grow(piece, stream, bytes))) return nullptr;
    piece.captured = piece.captured || capturing;
    return piece.data;
  }

 private:
  struct Piece {
    void* data = nullptr;
    std::size_t bytes = 0;
    bool captured = false;
    unsigned long long stream_id = 0;
  };

  /// A handle may be used again after its stream was destroyed, perhaps with work still running;
  /// an id is not. The piece of the stream before is left to that work.
  static void renew_if_reused(Piece& piece, cudaStream_t stream) {
    unsigned long long id = 0;
    if (cudaStreamGetId(stream, &id) != cudaSuccess) (void)cudaGetLastError();
    if (piece.stream_id != id) piece = {};
    piece.stream_id = id;
  }

  static bool grow(Piece& piece, cudaStream_t stream, std::size_t bytes) {
    Piece larger;
    larger.stream_id = piece.stream_id;
    larger.bytes = std::max({bytes, 2 * piece.bytes, std::size_t{1} << 20U});
    if (cudaMallocAsync(&larger.data, larger.bytes, stream) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    if (cudaMemsetAsync(larger.data, 0, kTicketBytes, stream) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    if (piece.data != nullptr && !piece.captured &&
        cudaFreeAsync(piece.data, stream) != cudaSuccess) {
      (void)cudaGetLastError();
    }
    piece = larger;
    return true;
  }

  std::mutex mutex_;
  std::map<std::pair<int, cudaStream_t>, Piece> pieces_;
};

}  // namespace fa2bench::shims::cuda
