// SPDX-License-Identifier: MIT
#include "device/cuda/cupti.hpp"

#include <cuda.h>
#include <fmt/format.h>

#include <cstdint>

#include "device/cuda/activities.hpp"
#include "device/dynamic_library.hpp"

namespace fa2bench::cuda {
namespace {

bool find_all(void* library, Cupti& cupti) {
  return find_function(library, "cuptiGetVersion", cupti.version) &&
         find_function(library, "cuptiGetResultString", cupti.result_text) &&
         find_function(library, "cuptiSubscribe", cupti.subscribe) &&
         find_function(library, "cuptiUnsubscribe", cupti.unsubscribe) &&
         find_function(library, "cuptiEnableDomain", cupti.enable_domain) &&
         find_function(library, "cuptiActivityRegisterCallbacks", cupti.register_callbacks) &&
         find_function(library, "cuptiActivityEnable", cupti.enable) &&
         find_function(library, "cuptiActivityDisable", cupti.disable) &&
         find_function(library, "cuptiActivityFlushAll", cupti.flush) &&
         find_function(library, "cuptiActivityGetNextRecord", cupti.next_record) &&
         find_function(library, "cuptiActivityGetNumDroppedRecords", cupti.dropped);
}

// Records have grown at their end from one version to the next: CUDA 12.0 delivers
// CUpti_ActivityKernel9, 13 CUpti_ActivityKernel10, and what is read here is the same of both
// (activity_record.cpp asserts it). Nothing is known of versions after 13.
constexpr std::uint32_t kOldest = 18;     // CUDA 12.0
constexpr std::uint32_t kNewer = 140000;  // CUDA 14.0, as 13.0 is 130000

}  // namespace

std::vector<std::string> cupti_libraries() {
  std::vector<std::string> names;
  constexpr int kOwn = CUDA_VERSION / 1000;
  constexpr int kOther = kOwn == 12 ? 13 : 12;
  for (const int major : {kOwn, kOther}) {
    const std::string name = fmt::format("libcupti.so.{}", major);
    names.push_back(name);
    names.push_back(fmt::format("/usr/local/cuda-{}/extras/CUPTI/lib64/{}", major, name));
    names.push_back("/usr/local/cuda/extras/CUPTI/lib64/" + name);
    names.push_back("/usr/local/cuda/lib64/" + name);
  }
  names.emplace_back("libcupti.so");
  return names;
}

std::string open_cupti(const std::vector<std::string>& libraries, Cupti& cupti) {
  void* library = open_first(libraries);
  if (library == nullptr) {
    return "CUPTI cannot be opened (libcupti.so; it comes with the CUDA toolkit)";
  }
  if (!find_all(library, cupti)) return "this libcupti.so lacks functions of the activity API";
  std::uint32_t version = 0;
  if (cupti.version(&version) != CUPTI_SUCCESS) return "CUPTI does not tell its version";
  if (version < kOldest || version >= kNewer) {
    return fmt::format(
        "the records of CUPTI's version {} are not known; those of CUDA 12 and 13 are", version);
  }
  return "";
}

}  // namespace fa2bench::cuda
