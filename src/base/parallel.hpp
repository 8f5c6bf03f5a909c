// SPDX-License-Identifier: MIT
// Runs independent pieces of host work on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace fa2bench {

/// Calls body(i) for every i in [0, count), on up to all cores; returns when all are done. Pieces
/// are taken in ascending order. The first exception of a piece is thrown again here; the pieces
/// not yet begun are then left out.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

/// Calls body(first, last) for ranges that cover [0, count), each but the last `grain` long.
void parallel_ranges(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace fa2bench
