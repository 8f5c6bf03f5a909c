// SPDX-License-Identifier: MIT
// Which demands of the config ("require") a result does not meet. Held against the median that is
// published, not against its interval: the number that a team writes into its config is the one
// that it reads in the table. They are found anew wherever they are shown, so that no list can
// disagree with the times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "result/report.hpp"

namespace fa2bench {

struct GateMiss {
  Gate gate;
  Mode mode = Mode::cold;        ///< whose figure it is of
  std::optional<double> actual;  ///< the figure; none if it is not known
  std::string reason;            ///< one line
};

/// Of one shim. A mode without a time, a share without a ceiling and times under a profiler, which
/// are no figures, are misses too, never a pass. None of the baseline of a comparison, which is
/// what a candidate is to replace.
std::vector<GateMiss> gate_misses(const Report& report, const Workload& workload, const Run& run);

/// Slower if a figure misses its bound, inconclusive if one is not known, else ok.
ExitCode gates_exit_code(const Report& report);

}  // namespace fa2bench
