// SPDX-License-Identifier: MIT
#include "base/nvtx.hpp"

#if FA2BENCH_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>

#include <cstdint>

namespace fa2bench {
namespace {

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("ferrum-fa2-bench");
  return handle;
}

}  // namespace

NvtxRange::NvtxRange(const std::string& text) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  // Registering a text twice gives the same handle; the tool keeps it for the process.
  attributes.message.registered = nvtxDomainRegisterStringA(domain(), text.c_str());
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
