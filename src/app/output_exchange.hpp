// SPDX-License-Identifier: MIT
// Whether two shims compute the same: one leaves its outputs in a file, which others read.
#pragma once

#include <cstdint>
#include <vector>

#include "app/checked_calls.hpp"
#include "result/comparison.hpp"

namespace fa2bench {

/// On the host.
struct Outputs {
  std::vector<std::uint16_t> out;  ///< f16 [total_q_tokens, num_heads, head_dim]
  std::vector<float> lse;          ///< [num_heads, total_q_tokens]
};

/// All elements; what rows without keys hold counts only for same_empty_rows.
OutputDifference compare_outputs(const Workload& workload, const Outputs& mine,
                                 const Outputs& others);

/// Calls once more, of a shim that was right so far, and writes what that left, or holds it against
/// what another has written. False, with the run's status, if the call did not do well or is not
/// right. A file that cannot be used is told in the difference.
bool exchange_outputs(const WorkloadOnDevice& target, const OutputFile& file, CheckedCalls& calls,
                      OutputDifference& difference);

}  // namespace fa2bench
