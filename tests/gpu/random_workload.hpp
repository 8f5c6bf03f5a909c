// SPDX-License-Identifier: MIT
// Seeded workloads of all kinds, as a config would give them.
#pragma once

#include <cstdint>
#include <string>

namespace fa2bench::test {

/// Seeds from 0 that the bundled shim is tested with.
inline constexpr std::uint64_t kRandomWorkloads = 2000;

/// One workload as JSON for read_one(): small and medium, every layout and policy.
std::string random_workload(std::uint64_t seed);

}  // namespace fa2bench::test
