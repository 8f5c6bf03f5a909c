// SPDX-License-Identifier: MIT
// Compares what a call left in memory with the reference, and everything around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/workload_buffers.hpp"
#include "verify/comparison.hpp"
#include "verify/empty_rows.hpp"
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

/// Further calls of a right shim, each held bit for bit against the first.
struct Repeats {
  std::int64_t calls = 0;
  bool same_out = true;
  bool same_lse = true;
  double largest_difference = 0.0;  ///< of an element of out in the compared rows
};

/// The call captured into a CUDA graph and replayed.
struct GraphReplay {
  std::string obstacle;  ///< why it has no right result; "" if it has
  int kernels = 0;       ///< kernel nodes of the graph
  bool same_bits = false;
  int allocations = 0;  ///< nodes of the graph that allocate memory
};

/// How a right shim did when called again in other ways; none where that was not tried.
struct Constancy {
  std::optional<Repeats> repeats;      ///< on the same inputs, before timing
  std::optional<Repeats> other_pages;  ///< the same K and V on other pages
  std::optional<Repeats> timed_calls;  ///< every call of every series
  std::optional<GraphReplay> graph;
};

struct VerifyReport {
  bool ok = false;
  std::string diagnosis;     ///< one line; empty if ok
  std::string mistake;       ///< the known mistake that explains it, part of diagnosis; else ""
  std::int64_t rows = 0;     ///< query tokens compared, each with all heads
  std::int64_t rows_of = 0;  ///< query tokens of the workload
  bool out_ok = false;
  bool lse_ok = false;
  bool guards_ok = false;
  bool inputs_ok = false;
  // Of rows that see a key:
  std::uint64_t unwritten = 0;   ///< elements of out and lse that still hold the canary
  std::uint64_t non_finite = 0;  ///< other NaN and infinities in out and lse
  double max_abs_err = 0.0;      ///< of out
  double tolerance = 0.0;        ///< at the element whose error is the largest part of its bound
  double worst_share = 0.0;      ///< that part; above 1 is wrong
  double worst_row_share = 0.0;  ///< rms error of a row over its bound; above 1 is wrong
  double lse_max_abs_err = 0.0;
  double lse_tolerance = 0.0;  ///< where the error is the largest part of its bound
  double lse_worst_share = 0.0;
  double f16_yardstick = 0.0;  ///< worst_share of a plain f16 attention on some of the rows
  std::optional<Fault> fault;
  std::optional<EmptyRows> empty_rows;  ///< what stands in rows that see no key; none without any
  Constancy constancy;
};

/// Holds the reference of one workload. Borrows what it is made from.
class Verifier {
 public:
  /// Chooses rows and computes the reference: the expensive part, on all cores. `budget`: see
  /// choose_rows.
  Verifier(const Workload& workload, const Plan& plan, const BlockTable& table,
           double budget = kReferenceBudget);

  /// Waits for the device. Rows that see no key are named, not judged. `input_checksum` is that of
  /// the inputs before the first call. `left`, if given, receives what the call left. `table` is
  /// what the call was made with, to name a known mistake by; without it none is looked for.
  [[nodiscard]] VerifyReport check(Device& device, const WorkloadBuffers& buffers,
                                   std::uint64_t input_checksum, const BlockTable* table,
                                   Observed* left = nullptr) const;

  /// Waits. What a call left in the compared rows.
  [[nodiscard]] Observed observe(Device& device, const WorkloadBuffers& buffers) const;
  /// The known mistake that explains it; see name_mistake(). `table` is what the call was made
  /// with.
  [[nodiscard]] std::string name(const Observed& observed, const BlockTable& table) const;

  [[nodiscard]] const Workload& workload() const { return *workload_; }
  [[nodiscard]] const Plan& plan() const { return *plan_; }
  [[nodiscard]] const BlockTable& table() const { return *table_; }
  [[nodiscard]] const Reference& reference() const { return reference_; }

 private:
  const Workload* workload_;
  const Plan* plan_;
  const BlockTable* table_;
  Reference reference_;
  double yardstick_ = 0.0;
};

}  // namespace fa2bench
