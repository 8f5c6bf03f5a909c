// SPDX-License-Identifier: MIT
// Which values of a series are independent of each other. Trials of one process share where the
// driver put its code, and trials on one stream of it what that stream does to every launch
// (device/cuda/streams.hpp): the highest level of which there were enough is what counts.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "measure/samples.hpp"

namespace fa2bench {

/// What counts once.
enum class Block {
  processes,  ///< at least three
  streams,    ///< of one or two processes, at least eight with two trials each
  trials,
};
inline constexpr std::array<const char*, 3> kBlockNames{"processes", "streams", "trials"};
inline const char* to_text(Block block) { return kBlockNames[static_cast<std::size_t>(block)]; }

Block independent_block(std::span<const Trial> trials);

/// Of the medians, one for each trial, the middle of each block: the mean of the middle half.
std::vector<double> independent_values(std::span<const double> medians,
                                       std::span<const Trial> trials);

}  // namespace fa2bench
