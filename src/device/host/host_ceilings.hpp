// SPDX-License-Identifier: MIT
// What this CPU reaches with all its cores: reads from memory, and f32 fused multiply-adds.
#pragma once

#include "base/units.hpp"
#include "device/ceilings.hpp"

namespace fa2bench {

/// `cache` is the size of the last-level cache; reads go over several times as much.
Ceilings measure_host_ceilings(Bytes cache);

}  // namespace fa2bench
