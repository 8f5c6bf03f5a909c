// SPDX-License-Identifier: MIT
// How much longer a candidate takes than the baseline, and how well that is known, from blocks of
// samples that processes of both took in turn, placement after placement.
//
// A participant is a process of a shim. The model is log(block's median) = participant + placement
// + noise. What the placement does to all alike is taken off (placement_effects.hpp), each
// participant becomes the trimmed mean of what is left (stats/trimmed_mean.hpp), a shim the plain
// mean of its participants, and the ratio is the exponential of the difference of two shims.
//
// Participants are the units that are independent of each other: the driver puts the code of each
// process elsewhere, and no number of blocks averages that out. The interval is that of a
// two-sample Student's t on the participants with a pooled variance, never a smaller variance than
// the participants' own standard errors, as the scatter of their blocks implies them. Where a shim
// has one process only, the differences of the placements are the units instead (Student's t on
// their trimmed mean): such an interval says nothing of another process of the same shim, and
// `of_processes` is false.
//
// A process that is by chance slow or fast from its start on, in one of two ways, is not normal.
// Four a side all fall apart, the slow on one side, in 2 of 2^8 runs, which a confidence of 99 %
// has room for; three do in 2 of 2^6 and two in 2 of 2^4, which it has not.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "stats/summary.hpp"

namespace fa2bench {

/// A block of samples that one participant took in one placement. One may take several there.
struct BlockTime {
  std::size_t placement = 0;
  int shim = 0;
  int process = 0;
  double median_us = 0.0;
};

struct RatioEstimate {
  /// The candidate's time over the baseline's; none if no placement has blocks of both, or if a
  /// block's time is not a positive number. Without it nothing else is set but `obstacle`.
  std::optional<double> ratio;
  /// Of the ratio. None with too few blocks: two placements at least, three if not of processes.
  std::optional<Interval> interval;
  /// Two-sided, of a true ratio no farther from 1 than the floor: the smallest error at which an
  /// interval around the ratio would exclude all of 1 ± floor. There if an interval is.
  std::optional<double> p_value;
  bool of_processes = false;  ///< processes are the independent units, else placements
  /// |ratio - 1| of the baseline against itself: its even against its odd processes; of one
  /// process, its even against its odd placements, what placements do included.
  double floor = 0.0;
  std::size_t processes = 0;   ///< of the side that has fewer
  std::size_t placements = 0;  ///< in which both sides took part
  double baseline_us = 0.0;
  double candidate_us = 0.0;
  std::string obstacle;  ///< why there is no ratio; else ""
};

/// Of the blocks of these two shims; others do not count. 0 < confidence < 1.
RatioEstimate estimate_ratio(std::span<const BlockTime> blocks, int baseline, int candidate,
                             double confidence);

}  // namespace fa2bench
