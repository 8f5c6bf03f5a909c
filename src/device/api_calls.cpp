// SPDX-License-Identifier: MIT
#include "device/api_calls.hpp"

#include <algorithm>

namespace fa2bench {
namespace {

constexpr std::array<std::string_view, 18> kAllocating{
    "cudaMalloc",         "cudaFree",          "cudaHostAlloc",      "cudaHostRegister",
    "cudaHostUnregister", "cudaMemPoolCreate", "cudaMemPoolDestroy", "cuMemAlloc",
    "cuMemFree",          "cuMemHostAlloc",    "cuMemHostRegister",  "cuMemHostUnregister",
    "cuMemCreate",        "cuMemRelease",      "cuMemMap",           "cuMemUnmap",
    "cuMemPoolCreate",    "cuMemPoolDestroy"};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// "cuMemAlloc_v2" and "cudaLaunchKernel_ptsz" without what is behind the name.
std::string_view plain(std::string_view name) { return name.substr(0, name.find('_')); }

}  // namespace

ApiUse api_use(std::string_view name) {
  if (contains(name, "Synchronize")) return ApiUse::synchronizes;
  if (name.starts_with("cudaMemcpy") || name.starts_with("cuMemcpy")) {
    return contains(name, "Async") ? ApiUse::other : ApiUse::copies;
  }
  const bool allocates = std::any_of(kAllocating.begin(), kAllocating.end(),
                                     [&](std::string_view one) { return name.starts_with(one); });
  return allocates ? ApiUse::allocates : ApiUse::other;
}

void count_call(std::string_view name, std::vector<ApiCalls>& calls) {
  if (api_use(name) == ApiUse::other) return;
  const std::string_view short_name = plain(name);
  const auto found = std::find_if(calls.begin(), calls.end(),
                                  [&](const ApiCalls& one) { return one.name == short_name; });
  if (found == calls.end()) {
    calls.push_back({std::string(short_name), 1});
  } else {
    ++found->count;
  }
}

}  // namespace fa2bench
