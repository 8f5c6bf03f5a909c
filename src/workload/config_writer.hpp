// SPDX-License-Identifier: MIT
// The way back: a resolved workload as a config of its own.
#pragma once

#include <string>

#include "workload/workload.hpp"

namespace fa2bench {

/// Config v1 text of one workload; read_config gives back the same workload, id included.
std::string write_config(const Workload& workload);

}  // namespace fa2bench
