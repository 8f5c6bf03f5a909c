// SPDX-License-Identifier: MIT
#include "result/kernel_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "stats/summary.hpp"

namespace fa2bench {
namespace {

/// Rounded to the nanosecond, as the device's clock is.
double rounded_median(const std::vector<double>& values) {
  return std::round(median(values) * 1e3) / 1e3;
}

std::string text(const Launch& launch) {
  if (launch.kind != LaunchKind::kernel)
    return fmt::format("{} of {}", to_text(launch.kind), launch.name);
  return fmt::format("{} <<<{}, {}>>>", launch.name, fmt::join(launch.grid, "x"),
                     fmt::join(launch.block, "x"));
}

/// How call `n` differs from the first, or "".
std::string difference(const KernelTrace& first, const KernelTrace& other, std::size_t n) {
  if (other.launches.size() != first.launches.size()) {
    return fmt::format("calls differ: {} launches in call {}, {} in call 1", other.launches.size(),
                       n, first.launches.size());
  }
  for (std::size_t i = 0; i < first.launches.size(); ++i) {
    const Launch& expected = first.launches[i].launch;
    const Launch& found = other.launches[i].launch;
    if (found == expected) continue;
    return fmt::format("calls differ: launch {} is {} in call {}, {} in call 1", i + 1, text(found),
                       n, text(expected));
  }
  return "";
}

/// Of launch `at`, from the end of all before it.
double gap_before(const KernelTrace& call, std::size_t at) {
  double end = 0.0;
  for (std::size_t i = 0; i < at; ++i) end = std::max(end, call.launches[i].end_us);
  return at == 0 ? 0.0 : call.launches[at].start_us - end;
}

template <typename Value>
double median_of(const std::vector<KernelTrace>& calls, const Value& value) {
  std::vector<double> values;
  for (const KernelTrace& call : calls) values.push_back(value(call));
  return rounded_median(values);
}

}  // namespace

KernelReport make_kernel_report(const std::vector<KernelTrace>& calls, bool gated) {
  KernelReport report;
  report.calls = static_cast<int>(calls.size());
  report.gated = gated;
  report.blocking = calls.back().api_calls;
  const KernelTrace& first = calls.front();
  for (std::size_t n = 1; n < calls.size(); ++n) {
    report.obstacle = difference(first, calls[n], n + 1);
    if (!report.obstacle.empty()) return report;
  }
  report.span_us = median_of(calls, [](const KernelTrace& call) { return call.span_us; });
  for (std::size_t i = 0; i < first.launches.size(); ++i) {
    CommonLaunch& common = report.launches.emplace_back();
    common.launch = first.launches[i].launch;
    common.us = median_of(calls, [i](const KernelTrace& call) {
      return call.launches[i].end_us - call.launches[i].start_us;
    });
    common.gap_us = median_of(calls, [i](const KernelTrace& call) { return gap_before(call, i); });
  }
  return report;
}

}  // namespace fa2bench
