// SPDX-License-Identifier: MIT
// Compares what a call left in memory with the reference, and everything around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/workload_buffers.hpp"
#include "verify/reference.hpp"
#include "workload/plan.hpp"

namespace fa2bench {

/// The first element that was wrong.
struct Fault {
  std::string tensor;  ///< "out" or "lse"
  std::int32_t seq = 0;
  std::int32_t token = 0;  ///< within the sequence's queries
  std::int32_t head = 0;
  std::int32_t column = 0;  ///< of out; 0 for lse
  double expected = 0.0;
  double actual = 0.0;
  double tolerance = 0.0;
};

struct VerifyReport {
  bool ok = false;
  std::string diagnosis;     ///< one line; empty if ok
  std::int64_t rows = 0;     ///< query tokens compared, each with all heads
  std::int64_t rows_of = 0;  ///< query tokens of the workload
  bool out_ok = false;
  bool lse_ok = false;
  bool guards_ok = false;
  bool inputs_ok = false;
  std::uint64_t unwritten = 0;   ///< elements of out and lse that still hold the canary
  std::uint64_t non_finite = 0;  ///< other NaN and infinities in out and lse, rows with keys
  double max_abs_err = 0.0;      ///< of out
  double tolerance = 0.0;        ///< at the element whose error is the largest part of its bound
  double worst_share = 0.0;      ///< that part; above 1 is wrong
  double worst_row_share = 0.0;  ///< rms error of a row over its bound; above 1 is wrong
  double lse_max_abs_err = 0.0;
  double lse_tolerance = 0.0;  ///< where the error is the largest part of its bound
  double lse_worst_share = 0.0;
  double f16_yardstick = 0.0;  ///< worst_share of a plain f16 attention on some of the rows
  std::optional<Fault> fault;
};

/// Holds the reference of one workload. Borrows the plan.
class Verifier {
 public:
  /// Chooses rows and computes the reference: the expensive part, on all cores. `budget`: see
  /// choose_rows.
  Verifier(const Workload& workload, const Plan& plan, const BlockTable& table,
           double budget = kReferenceBudget);

  /// Waits for the device. `input_checksum` is that of the inputs before the first call.
  [[nodiscard]] VerifyReport check(Device& device, const WorkloadBuffers& buffers,
                                   std::uint64_t input_checksum) const;

 private:
  const Plan* plan_;
  Reference reference_;
  double yardstick_ = 0.0;
};

}  // namespace fa2bench
