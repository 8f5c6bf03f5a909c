// SPDX-License-Identifier: MIT
// CUPTI's entry points, found at run time: it is neither linked nor required.
#pragma once

#include <cupti.h>

#include <string>
#include <vector>

namespace fa2bench::cuda {

struct Cupti {
  decltype(&cuptiGetVersion) version = nullptr;
  decltype(&cuptiGetResultString) result_text = nullptr;
  decltype(&cuptiSubscribe) subscribe = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiEnableDomain) enable_domain = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped = nullptr;
};

/// Fills `cupti` from the first of the libraries that can be opened, which stays loaded. Why there
/// is none, or none whose records are understood, or "".
std::string open_cupti(const std::vector<std::string>& libraries, Cupti& cupti);

}  // namespace fa2bench::cuda
