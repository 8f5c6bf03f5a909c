// SPDX-License-Identifier: MIT
// Which functions of CUDA one thread calls, as CUPTI calls back.
#pragma once

#include <cupti.h>

#include <thread>
#include <utility>
#include <vector>

#include "device/api_calls.hpp"

namespace fa2bench::cuda {

/// Listens to the thread that made it, and only where it is told to: the tool's own calls are none
/// of the shim's. Others may call back meanwhile, and are passed over.
class ApiListener {
 public:
  void listen(bool on) { listening_ = on; }
  std::vector<ApiCalls> take() { return std::exchange(calls_, {}); }

  /// For cuptiSubscribe, with the listener as its user data.
  static void CUPTIAPI notice(void* listener, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data);

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  bool listening_ = false;
  bool in_runtime_ = false;  ///< what the driver is asked now is the runtime's doing
  std::vector<ApiCalls> calls_;
};

}  // namespace fa2bench::cuda
