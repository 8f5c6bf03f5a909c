// SPDX-License-Identifier: MIT
#include "base/nvtx.hpp"

#if FA2BENCH_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <map>
#include <mutex>

namespace fa2bench {
namespace {

nvtxDomainHandle_t domain() {
  static nvtxDomainHandle_t handle = nvtxDomainCreateA(kNvtxDomain);
  return handle;
}

/// The handle of a text, registered when it is first used. The tool keeps it for the process.
nvtxStringHandle_t registered(const std::string& text) {
  static std::mutex mutex;
  static std::map<std::string, nvtxStringHandle_t> handles;
  const std::lock_guard lock(mutex);
  const auto [at, fresh] = handles.try_emplace(text, nullptr);
  if (fresh) at->second = nvtxDomainRegisterStringA(domain(), text.c_str());
  return at->second;
}

}  // namespace

NvtxRange::NvtxRange(const std::string& text) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = registered(text);
  id_ = nvtxDomainRangeStartEx(domain(), &attributes);
}

NvtxRange::~NvtxRange() { nvtxDomainRangeEnd(domain(), id_); }

const char* nvtx_version() { return "NVTX 3"; }

}  // namespace fa2bench

#else

namespace fa2bench {

NvtxRange::NvtxRange(const std::string& /*text*/) {}
NvtxRange::~NvtxRange() = default;

const char* nvtx_version() { return "none"; }

}  // namespace fa2bench

#endif
