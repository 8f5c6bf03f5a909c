// SPDX-License-Identifier: MIT
#include "verify/verifier.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/half.hpp"
#include "verify/tolerance.hpp"
#include "verify/yardstick.hpp"

namespace fa2bench {
namespace {

/// Whether `value` is to be reported instead of `worst`: larger, or NaN. A NaN stays the worst.
bool is_worse(double value, double worst) { return !std::isnan(worst) && !(value <= worst); }

/// Comparison of the chosen rows; fills the error fields of a report.
class RowComparison {
 public:
  RowComparison(const Plan& plan, const Reference& reference, VerifyReport& report)
      : plan_(plan), reference_(reference), report_(report) {}

  void compare(Device& device, const PagedVarlenCall& call) {
    const auto width =
        static_cast<std::size_t>(call.num_heads) * static_cast<std::size_t>(call.head_dim);
    const auto tokens = static_cast<std::size_t>(plan_.total_q_tokens);
    std::vector<std::uint16_t> out(width);
    // lse is [num_heads, tokens]; a head's row is fetched whole, as chosen tokens are scattered.
    std::vector<float> lse(static_cast<std::size_t>(call.num_heads) * tokens);
    device.download(lse.data(), call.lse, {lse.size() * sizeof(float)});
    report_.out_ok = report_.lse_ok = true;
    for (std::size_t row = 0; row < reference_.rows.size(); ++row) {
      const auto token = static_cast<std::size_t>(reference_.rows[row].global_token);
      device.download(out.data(), static_cast<const std::uint16_t*>(call.out) + token * width,
                      {width * 2});
      for (int head = 0; head < call.num_heads; ++head) {
        const auto offset =
            static_cast<std::size_t>(head) * static_cast<std::size_t>(call.head_dim);
        compare_out(row, head, out.data() + offset);
        compare_lse(row, head, lse[static_cast<std::size_t>(head) * tokens + token]);
      }
    }
  }

 private:
  void compare_out(std::size_t row, int head, const std::uint16_t* halves) {
    const HeadReference& exact = reference_.at(row, head);
    const std::int64_t keys = reference_.rows[row].visible_keys;
    double squared_error = 0.0;
    double squared_deviation = 0.0;
    double worst_share = 0.0;
    std::size_t worst = 0;
    for (std::size_t column = 0; column < exact.out.size(); ++column) {
      const double error =
          std::abs(static_cast<double>(half_to_float(halves[column])) - exact.out[column]);
      const ElementTolerance tolerance = element_tolerance(exact, column, keys);
      squared_error += error * error;
      squared_deviation += tolerance.deviation * tolerance.deviation;
      const double share = error / tolerance.bound;
      if (is_worse(share, worst_share)) {
        worst = column;
        worst_share = share;
      }
      if (is_worse(error, report_.max_abs_err)) report_.max_abs_err = error;
      if (is_worse(share, report_.worst_share)) {
        report_.worst_share = share;
        report_.tolerance = tolerance.bound;
      }
    }
    const double row_share = std::sqrt(squared_error / squared_deviation) / kRowFactor;
    if (is_worse(row_share, report_.worst_row_share)) report_.worst_row_share = row_share;
    if (worst_share <= 1.0 && row_share <= 1.0) return;  // false for NaN
    if (report_.out_ok) {
      record("out", row, head, worst, exact.out[worst],
             static_cast<double>(half_to_float(halves[worst])),
             element_tolerance(exact, worst, keys).bound);
    }
    report_.out_ok = false;
  }

  void compare_lse(std::size_t row, int head, float value) {
    const HeadReference& exact = reference_.at(row, head);
    const double bound = lse_tolerance(exact);
    const double error = std::abs(static_cast<double>(value) - exact.lse);
    const double share = error / bound;
    if (is_worse(error, report_.lse_max_abs_err)) report_.lse_max_abs_err = error;
    if (is_worse(share, report_.lse_worst_share)) {
      report_.lse_worst_share = share;
      report_.lse_tolerance = bound;
    }
    if (error <= bound) return;  // false for NaN
    if (report_.lse_ok) record("lse", row, head, 0, exact.lse, static_cast<double>(value), bound);
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

  const Plan& plan_;
  const Reference& reference_;
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
    : plan_(&plan),
      reference_(compute_reference(workload, table, choose_rows(workload, budget))),
      yardstick_(f16_yardstick(workload, table, reference_)) {}

VerifyReport Verifier::check(Device& device, const WorkloadBuffers& buffers,
                             std::uint64_t input_checksum) const {
  const PagedVarlenCall& call = buffers.call();
  VerifyReport report;
  report.rows = static_cast<std::int64_t>(reference_.rows.size());
  report.rows_of = plan_->total_q_tokens;
  report.f16_yardstick = yardstick_;

  const auto out_count = static_cast<std::uint64_t>(plan_->total_q_tokens) *
                         static_cast<std::uint64_t>(call.num_heads) *
                         static_cast<std::uint64_t>(call.head_dim);
  const auto lse_count = out_count / static_cast<std::uint64_t>(call.head_dim);
  const OutputScan out = device.scan_output(call.out, out_count, ElementType::f16, kCanaryHalf);
  const OutputScan lse = device.scan_output(call.lse, lse_count, ElementType::f32, kCanaryFloat);
  report.unwritten = out.canaries + lse.canaries;
  report.non_finite = out.non_finite + lse.non_finite;
  RowComparison(*plan_, reference_, report).compare(device, call);
  const std::string breach = buffers.guard_breach();
  report.guards_ok = breach.empty();
  report.inputs_ok = buffers.input_checksum() == input_checksum;

  std::vector<std::string> faults;
  if (!report.guards_ok) faults.push_back(breach);
  if (!report.inputs_ok) faults.push_back("modified its inputs (q, k, v or the tables)");
  if (report.unwritten == out_count + lse_count) {
    faults.push_back("wrote no output");
  } else if (report.unwritten > 0) {
    const bool in_out = out.canaries > 0;
    faults.push_back(
        fmt::format("left {} elements unwritten, first {}", report.unwritten,
                    place_of(call, in_out, in_out ? out.first_canary : lse.first_canary)));
  }
  if (report.non_finite > 0) {
    const bool in_out = out.non_finite > 0;
    faults.push_back(
        fmt::format("{} values are NaN or infinite, first {}", report.non_finite,
                    place_of(call, in_out, in_out ? out.first_non_finite : lse.first_non_finite)));
  }
  if (report.fault) faults.push_back(describe(*report.fault));
  report.ok = faults.empty();
  report.diagnosis = fmt::format("{}", fmt::join(faults, "; "));
  return report;
}

}  // namespace fa2bench
