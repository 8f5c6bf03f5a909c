// SPDX-License-Identifier: MIT
// Memory for the data of a workload that all processes of a run have open: the same physical pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace fa2bench {

/// Gives memory for one array after the other. Throws OutOfMemory.
using MemorySource = std::function<DeviceMemory(Bytes size)>;

/// What a process has to know of it. Each layer is one piece of memory, in which the arrays of the
/// layer lie one after the other, and behind them the tag.
struct SharedPool {
  std::vector<std::string> handles;  ///< of each layer; see Device::open_shared
  Bytes layer_size;                  ///< without the tag; see size_of_layer
  std::uint64_t tag = 0;  ///< what its owner has written: who reads it has the same pages
};

/// What arrays of these sizes take in a layer, each on pages of its own.
Bytes size_of_layer(const std::vector<Bytes>& arrays);

/// A pool's memory; lives in the process that shares it, as long as others use it.
struct OwnedPool {
  std::vector<SharedMemory> layers;
  SharedPool pool;
};

/// Allocates as many layers as it is asked for and writes the tag. Throws OutOfMemory, and
/// DeviceError where nothing can be shared.
OwnedPool share_pool(Device& device, Bytes layer_size, std::size_t layers, std::uint64_t tag);

/// A pool that another process has shared, open in this one. Must not outlive the device.
class OpenedPool {
 public:
  /// Opens all layers and reads their tags. Throws DeviceError, not lost, with the reason if it is
  /// refused or a tag is not there.
  OpenedPool(Device& device, const SharedPool& pool);

  [[nodiscard]] std::size_t layers() const { return layers_.size(); }
  [[nodiscard]] Bytes layer_size() const { return layer_size_; }
  /// The arrays of this layer, in the same places in every process that asks for the same sizes in
  /// the same order. One user of a layer at a time; its memory keeps the layer open.
  [[nodiscard]] MemorySource layer(std::size_t number) const;

 private:
  std::vector<std::shared_ptr<void>> layers_;
  Bytes layer_size_;
};

}  // namespace fa2bench
