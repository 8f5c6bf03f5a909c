// SPDX-License-Identifier: MIT
#include "device/cuda/activity_record.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

namespace fa2bench::cuda {
namespace {

// The oldest records that are read; later ones have them as their first part.
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
using FillRecord = CUpti_ActivityMemset4;

template <typename Older, typename Newer>
constexpr bool kSameKernelFields =
    offsetof(Older, registersPerThread) == offsetof(Newer, registersPerThread) &&
    offsetof(Older, start) == offsetof(Newer, start) &&
    offsetof(Older, end) == offsetof(Newer, end) &&
    offsetof(Older, gridX) == offsetof(Newer, gridX) &&
    offsetof(Older, blockZ) == offsetof(Newer, blockZ) &&
    offsetof(Older, staticSharedMemory) == offsetof(Newer, staticSharedMemory) &&
    offsetof(Older, dynamicSharedMemory) == offsetof(Newer, dynamicSharedMemory) &&
    offsetof(Older, name) == offsetof(Newer, name);
template <typename Older, typename Newer>
constexpr bool kSameCopyFields = offsetof(Older, copyKind) == offsetof(Newer, copyKind) &&
                                 offsetof(Older, bytes) == offsetof(Newer, bytes) &&
                                 offsetof(Older, start) == offsetof(Newer, start) &&
                                 offsetof(Older, end) == offsetof(Newer, end);
#if CUPTI_API_VERSION >= 130000
static_assert(kSameKernelFields<KernelRecord, CUpti_ActivityKernel10>);
static_assert(kSameCopyFields<CopyRecord, CUpti_ActivityMemcpy6>);
#endif

std::string demangled(const char* name) {
  if (name == nullptr) return "";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

const char* direction(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "device to device";
    default:
      return "other memory";
  }
}

// Records are packed: their members are copied, never referred to.
Activity read_kernel(const KernelRecord& record) {
  const auto size = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  Activity activity{{}, record.start, record.end};
  Launch& launch = activity.launch;
  launch.name = demangled(record.name);
  launch.grid = {size(record.gridX), size(record.gridY), size(record.gridZ)};
  launch.block = {size(record.blockX), size(record.blockY), size(record.blockZ)};
  launch.registers = record.registersPerThread;
  launch.shared = {std::uint64_t{size(record.staticSharedMemory)} +
                   size(record.dynamicSharedMemory)};
  return activity;
}

Activity read_copy(const CopyRecord& record) {
  const std::uint64_t bytes = record.bytes;
  Activity activity{{}, record.start, record.end};
  activity.launch.kind = LaunchKind::copy;
  activity.launch.name = fmt::format("{} bytes, {}", bytes, direction(record.copyKind));
  return activity;
}

Activity read_fill(const FillRecord& record) {
  const std::uint64_t bytes = record.bytes;
  Activity activity{{}, record.start, record.end};
  activity.launch.kind = LaunchKind::fill;
  activity.launch.name = fmt::format("{} bytes", bytes);
  return activity;
}

}  // namespace

std::optional<Activity> read_record(const CUpti_Activity& record) {
  const void* whole = &record;  // of which CUpti_Activity is the beginning
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return read_kernel(*static_cast<const KernelRecord*>(whole));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return read_copy(*static_cast<const CopyRecord*>(whole));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return read_fill(*static_cast<const FillRecord*>(whole));
    default:
      return std::nullopt;
  }
}

}  // namespace fa2bench::cuda
