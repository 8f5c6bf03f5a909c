// SPDX-License-Identifier: MIT
// The CPU shim: host memory, and a right call to be wrong from.
#include "abi/ferrum_fa2_shim.h"
#include "cpu/policy.hpp"
#include "cpu/stories.hpp"

namespace fa2bench::faulty {
namespace {

void spin() {
  for (volatile bool forever = true; forever;) {
  }
}

}  // namespace

const char* const kMemory = "host";
const char* const kHeadDims = "[16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256]";
const char* const kBlockSizes = "[16, 32, 64, 128, 256]";

int compute(const Call& call) {
  attend(call, Policy{});
  return FERRUM_FA2_OK;
}

std::vector<Fault> device_faults() {
  std::vector<Fault> all = {before_call("spin_forever", 1, spin)};
  for (const auto story : {numeric_faults, history_faults, memory_faults}) {
    for (Fault& fault : story()) all.push_back(std::move(fault));
  }
  return all;
}

}  // namespace fa2bench::faulty
