// SPDX-License-Identifier: MIT
#include "device/shared_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace fa2bench {
namespace {

/// Of a GPU: an array begins where one of its own allocation would.
constexpr std::uint64_t kPage = mib(2).count;

constexpr Bytes whole_pages(Bytes size) {
  return {std::max<std::uint64_t>(1, (size.count + kPage - 1) / kPage) * kPage};
}

void* at(void* memory, Bytes offset) { return static_cast<std::byte*>(memory) + offset.count; }

}  // namespace

Bytes size_of_layer(const std::vector<Bytes>& arrays) {
  Bytes size;
  for (const Bytes array : arrays) size += whole_pages(array);
  return size;
}

OwnedPool share_pool(Device& device, Bytes layer_size, std::size_t layers, std::uint64_t tag) {
  OwnedPool owned;
  owned.pool.layer_size = layer_size;
  owned.pool.tag = tag;
  for (std::size_t i = 0; i < layers; ++i) {
    SharedMemory& layer =
        owned.layers.emplace_back(device.allocate_shared(layer_size + Bytes{sizeof tag}));
    device.upload(at(layer.memory.get(), layer_size), &tag, {sizeof tag});
    owned.pool.handles.push_back(layer.handle);
  }
  return owned;
}

OpenedPool::OpenedPool(Device& device, const SharedPool& pool) : layer_size_(pool.layer_size) {
  for (const std::string& handle : pool.handles) {
    layers_.emplace_back(device.open_shared(handle));
    std::uint64_t found = 0;
    device.download(&found, at(layers_.back().get(), layer_size_), {sizeof found});
    if (found == pool.tag) continue;
    throw DeviceError(fmt::format("the tag that was written to shared memory is not there: {:016x} "
                                  "instead of {:016x}",
                                  found, pool.tag),
                      false);
  }
}

MemorySource OpenedPool::layer(std::size_t number) const {
  return [layer = layers_.at(number), left = layer_size_, offset = Bytes{}](Bytes size) mutable {
    const Bytes taken = whole_pages(size);
    if (taken > left) {
      throw OutOfMemory(
          fmt::format("shared memory: {} wanted, {} left", to_text(size), to_text(left)));
    }
    void* begin = at(layer.get(), offset);
    offset += taken;
    left = {left.count - taken.count};
    return DeviceMemory(begin, [layer](void*) {});
  };
}

}  // namespace fa2bench
