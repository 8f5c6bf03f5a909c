// SPDX-License-Identifier: MIT
// The laws of a block table, worked out from the workload alone, not from the code under test.
#pragma once

#include <string>

#include "workload/block_table.hpp"

namespace fa2bench {

/// The first law that the table breaks, in words; "" if it keeps all.
std::string broken_law(const Workload& workload, const BlockTable& table);

}  // namespace fa2bench
