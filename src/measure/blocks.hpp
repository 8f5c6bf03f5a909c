// SPDX-License-Identifier: MIT
// Which values of a series are independent of each other. Trials on one stream share what that
// stream does to every launch (device/cuda/streams.hpp), so where there were several streams, each
// counts once, through the mean of its trials.
#pragma once

#include <span>
#include <vector>

#include "measure/samples.hpp"

namespace fa2bench {

/// So many streams, each with at least two trials, before they are counted instead of the trials.
inline constexpr std::size_t kLeastStreams = 8;

/// Whether trials on enough streams were taken for these to be what counts.
bool counts_streams(std::span<const Trial> trials);

/// The medians, one for each trial, as they are; or if counts_streams(), their means by stream.
std::vector<double> independent_values(std::span<const double> medians,
                                       std::span<const Trial> trials);

}  // namespace fa2bench
