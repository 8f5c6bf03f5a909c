// SPDX-License-Identifier: MIT
#include "verify/verifier.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/half.hpp"
#include "verify/diagnosis.hpp"
#include "verify/tolerance.hpp"
#include "verify/yardstick.hpp"

namespace fa2bench {
namespace {

/// Comparison of the chosen rows; fills the error fields of a report.
class RowComparison {
 public:
  RowComparison(const Reference& reference, const Observed& observed, VerifyReport& report)
      : reference_(reference), observed_(observed), report_(report) {}

  void compare() {
    report_.out_ok = report_.lse_ok = true;
    for (std::size_t row = 0; row < reference_.rows.size(); ++row) {
      for (int head = 0; head < reference_.num_heads; ++head) {
        compare_out(row, head);
        compare_lse(row, head);
      }
    }
  }

 private:
  void compare_out(std::size_t row, int head) {
    const HeadReference& exact = reference_.at(row, head);
    const std::uint16_t* halves = observed_.out_at(reference_, row, head);
    const OutError error = out_error(exact, reference_.rows[row].visible_keys, halves);
    if (is_worse(error.largest, report_.max_abs_err)) report_.max_abs_err = error.largest;
    if (is_worse(error.worst_share, report_.worst_share)) {
      report_.worst_share = error.worst_share;
      report_.tolerance = error.worst_bound;
    }
    if (is_worse(error.row_share, report_.worst_row_share)) {
      report_.worst_row_share = error.row_share;
    }
    if (error.ok()) return;
    if (report_.out_ok) {
      record("out", row, head, error.worst, exact.out[error.worst],
             static_cast<double>(half_to_float(halves[error.worst])), error.worst_bound);
    }
    report_.out_ok = false;
  }

  void compare_lse(std::size_t row, int head) {
    const HeadReference& exact = reference_.at(row, head);
    const double value = static_cast<double>(observed_.lse_at(reference_, row, head));
    const double bound = lse_tolerance(exact);
    const double error = std::abs(value - exact.lse);
    const double share = error / bound;
    if (is_worse(error, report_.lse_max_abs_err)) report_.lse_max_abs_err = error;
    if (is_worse(share, report_.lse_worst_share)) {
      report_.lse_worst_share = share;
      report_.lse_tolerance = bound;
    }
    if (lse_matches(exact, value)) return;
    if (report_.lse_ok) record("lse", row, head, 0, exact.lse, value, bound);
    report_.lse_ok = false;
  }

  /// Keeps the first fault; one in out comes before one in lse of the same row.
  void record(const char* tensor, std::size_t row, int head, std::size_t column, double expected,
              double actual, double tolerance) {
    if (report_.fault) return;
    report_.fault = Fault{tensor,
                          reference_.rows[row].seq,
                          reference_.rows[row].token,
                          head,
                          static_cast<std::int32_t>(column),
                          expected,
                          actual,
                          tolerance};
  }

  const Reference& reference_;
  const Observed& observed_;
  VerifyReport& report_;
};

std::string describe(const Fault& fault) {
  const std::string place = fmt::format("{} of sequence {}, query token {}, head {}", fault.tensor,
                                        fault.seq, fault.token, fault.head);
  const std::string column =
      fault.tensor == "out" ? fmt::format(", column {}", fault.column) : std::string();
  return fmt::format("{}{}: {:.6g}, expected {:.6g} ± {:.2g}", place, column, fault.actual,
                     fault.expected, fault.tolerance);
}

/// Where element `index` of out or lse is.
std::string place_of(const PagedVarlenCall& call, bool in_out, std::uint64_t index) {
  const auto heads = static_cast<std::uint64_t>(call.num_heads);
  const auto dim = static_cast<std::uint64_t>(call.head_dim);
  const auto tokens = static_cast<std::uint64_t>(call.total_q_tokens);
  if (in_out) {
    return fmt::format("out of token {}, head {}, column {}", index / (heads * dim),
                       index / dim % heads, index % dim);
  }
  return fmt::format("lse of head {}, token {}", index / tokens, index % tokens);
}

}  // namespace

Verifier::Verifier(const Workload& workload, const Plan& plan, const BlockTable& table,
                   double budget)
    : workload_(&workload),
      plan_(&plan),
      table_(&table),
      reference_(compute_reference(workload, table, choose_rows(workload, budget))),
      yardstick_(f16_yardstick(workload, table, reference_)) {}

Observed Verifier::observe(Device& device, const WorkloadBuffers& buffers) const {
  const PagedVarlenCall& call = buffers.call();
  const auto heads = static_cast<std::size_t>(call.num_heads);
  const auto tokens = static_cast<std::size_t>(plan_->total_q_tokens);
  const std::size_t width = heads * static_cast<std::size_t>(call.head_dim);
  Observed observed;
  observed.out_scan = device.scan_output(call.out, tokens * width, ElementType::f16, kCanaryHalf);
  observed.lse_scan = device.scan_output(call.lse, tokens * heads, ElementType::f32, kCanaryFloat);
  // lse is [num_heads, tokens]; it is fetched whole, as chosen tokens are scattered.
  observed.lse.resize(heads * tokens);
  device.download(observed.lse.data(), call.lse, {observed.lse.size() * sizeof(float)});
  observed.out.resize(reference_.rows.size() * width);
  for (std::size_t row = 0; row < reference_.rows.size(); ++row) {
    const auto token = static_cast<std::size_t>(reference_.rows[row].global_token);
    device.download(observed.out.data() + row * width,
                    static_cast<const std::uint16_t*>(call.out) + token * width, {width * 2});
  }
  return observed;
}

VerifyReport Verifier::check(Device& device, const WorkloadBuffers& buffers,
                             std::uint64_t input_checksum, const BlockTable* table,
                             Observed* left) const {
  const PagedVarlenCall& call = buffers.call();
  VerifyReport report;
  report.rows = static_cast<std::int64_t>(reference_.rows.size());
  report.rows_of = plan_->total_q_tokens;
  report.f16_yardstick = yardstick_;

  Observed observed = observe(device, buffers);
  const OutputScan& out = observed.out_scan;
  const OutputScan& lse = observed.lse_scan;
  const auto lse_count = static_cast<std::uint64_t>(observed.lse.size());
  const std::uint64_t out_count = lse_count * static_cast<std::uint64_t>(call.head_dim);
  report.unwritten = out.canaries + lse.canaries;
  report.non_finite = out.non_finite + lse.non_finite;
  RowComparison(reference_, observed, report).compare();
  const std::string breach = buffers.guard_breach();
  report.guards_ok = breach.empty();
  report.inputs_ok = buffers.input_checksum() == input_checksum;
  const bool wrote_nothing = report.unwritten == out_count + lse_count;
  const bool right = report.out_ok && report.lse_ok;
  if (!right && !wrote_nothing && table != nullptr) report.mistake = name(observed, *table);

  std::vector<std::string> faults;
  if (!report.guards_ok) faults.push_back(breach);
  if (!report.inputs_ok) faults.emplace_back("modified its inputs (q, k, v or the tables)");
  if (wrote_nothing) {
    faults.emplace_back("wrote no output");
  } else if (report.unwritten > 0) {
    const bool in_out = out.canaries > 0;
    faults.push_back(
        fmt::format("left {} elements unwritten, first {}", report.unwritten,
                    place_of(call, in_out, in_out ? out.first_canary : lse.first_canary)));
  }
  if (!report.mistake.empty()) faults.push_back(report.mistake);
  if (report.non_finite > 0) {
    const bool in_out = out.non_finite > 0;
    faults.push_back(
        fmt::format("{} values are NaN or infinite, first {}", report.non_finite,
                    place_of(call, in_out, in_out ? out.first_non_finite : lse.first_non_finite)));
  }
  if (report.fault) faults.push_back(describe(*report.fault));
  report.ok = faults.empty();
  report.diagnosis = fmt::format("{}", fmt::join(faults, "; "));
  if (left != nullptr) *left = std::move(observed);
  return report;
}

std::string Verifier::name(const Observed& observed, const BlockTable& table) const {
  return name_mistake({*workload_, *plan_, table, reference_, observed});
}

}  // namespace fa2bench
