// SPDX-License-Identifier: MIT
// Whether a series of times has stopped drifting: the end of a warm-up. After an idle time clocks
// ramp for tens to hundreds of calls, and a fixed count of warm-up calls ends on the ramp.
#pragma once

#include <cstddef>
#include <span>

namespace fa2bench {

/// What settled() looks at: the newest three blocks of this many samples.
inline constexpr std::size_t kDriftBlock = 12;

/// Whether the newest samples have stopped drifting. The midmeans (means of the middle half, so
/// that outliers do not count) of the last three blocks are compared: the newest one differs from
/// both before it by no more than 0.2 %, or by no more than two standard errors of such a
/// difference, as the scatter within the blocks implies them (Yuen's, stats/trimmed_mean.hpp; the
/// middle one of the three, since outliers may swell one). Two older blocks, because two
/// neighbours also agree at the turn of a clock that rises first and falls then.
///
/// In simulations a stationary series settles at once five times in six and within 9 samples
/// more 99 times in 100; a ramp from 1.3 to 1 over 50 to 200 samples is never taken for settled at
/// a scatter of 0.5 %, and twice in 1,000 at 1 %. A faint drift in strong noise is not seen: a
/// caller that needs more compares first and last trials. False below 36 samples, and possibly for
/// ever, so callers bound their waiting.
bool settled(std::span<const double> samples);

}  // namespace fa2bench
