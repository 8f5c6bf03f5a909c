// SPDX-License-Identifier: MIT
// Which times of two results belong together: those of the same workload, by name and by the hash
// of what it resolves to, in the same mode. What has no partner is a leftover, never a pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "result/report.hpp"

namespace fa2bench {

/// One shim of one result.
struct Side {
  std::string name;  ///< in the comparison: that of the file, and of the shim where it has several
  const Report* report = nullptr;
  std::size_t shim = 0;  ///< index in Report::shims
};

inline const ShimRecord& shim_of(const Side& side) { return side.report->shims[side.shim]; }

/// A mode of a workload that a baseline or the candidate has, or in which the candidate failed.
struct TimedPair {
  std::string workload;
  std::string workload_id;
  Mode mode = Mode::cold;
  std::vector<const Timing*> baselines;  ///< one for each baseline that has it; may be empty
  const Timing* candidate = nullptr;     ///< none if it has none
  std::string reason;                    ///< why one of them, or both, have none; else ""
  Status baseline_status = Status::ok;   ///< that of the first baseline if none has a time
  Status candidate_status = Status::ok;
};

struct Pairing {
  std::vector<TimedPair> pairs;     ///< in the candidate's order
  std::vector<Leftover> leftovers;  ///< of workloads, and of modes of workloads that both have
  std::size_t common = 0;           ///< workloads that both have
  /// On leftovers that are there under another name or id, and on what some baselines lack.
  std::vector<std::string> notes;
  bool wrong = false;   ///< the candidate was, on a common workload
  bool failed = false;  ///< likewise
};

/// At least one baseline; they may be of different runs. Borrows the reports.
Pairing pair_results(std::span<const Side> baselines, const Side& candidate);

}  // namespace fa2bench
