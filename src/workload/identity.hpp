// SPDX-License-Identifier: MIT
// What makes two workloads the same: every resolved value but the name.
#pragma once

#include <string>

#include "workload/workload.hpp"

namespace fa2bench {

/// The resolved workload as text; defaults and the values they stand for read the same.
std::string canonical_text(const Workload& workload);

/// First 16 hex digits of the SHA-256 of canonical_text.
std::string workload_id(const Workload& workload);

}  // namespace fa2bench
