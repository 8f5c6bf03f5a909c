// SPDX-License-Identifier: MIT
#include "device/cuda/api_listener.hpp"

namespace fa2bench::cuda {

void CUPTIAPI ApiListener::notice(void* listener, CUpti_CallbackDomain domain,
                                  CUpti_CallbackId /*id*/, const void* data) {
  const bool runtime = domain == CUPTI_CB_DOMAIN_RUNTIME_API;
  if (!runtime && domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
  auto& self = *static_cast<ApiListener*>(listener);
  if (std::this_thread::get_id() != self.thread_ || !self.listening_) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  const bool enters = call.callbackSite == CUPTI_API_ENTER;
  const bool outermost = !self.in_runtime_;
  if (runtime) self.in_runtime_ = enters;
  if (enters && outermost && call.functionName != nullptr) {
    count_call(call.functionName, self.calls_);
  }
}

}  // namespace fa2bench::cuda
