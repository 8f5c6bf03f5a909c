// SPDX-License-Identifier: MIT
// Two result files, or more, and which is faster.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cli/color.hpp"
#include "cli/commands.hpp"
#include "compare/compare_results.hpp"
#include "compare/outcome.hpp"
#include "output/comparison_table.hpp"
#include "result/comparison_json.hpp"
#include "result/read_report.hpp"

namespace fa2bench {
namespace {

/// At once, as reading takes most of the time. The complaint is about the first file that has one.
std::vector<NamedReport> load(const std::vector<std::string>& files) {
  std::vector<NamedReport> reports(files.size());
  std::vector<std::exception_ptr> failures(files.size());
  parallel_for(files.size(), [&](std::size_t i) {
    try {
      const JsonDocument document = load_json(files[i], nullptr, kResultBounds);
      reports[i] = {printable(files[i]), read_report(document)};
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return reports;
}

ComparisonRules rules_of(const CompareOptions& options, DeviceKind kind) {
  ComparisonRules rules = rules_for_separate_runs(kind);
  rules.confidence = options.confidence;
  if (options.min_effect) rules.min_effect = *options.min_effect;
  return rules;
}

/// Without --force an error; with it, a warning each and part of the notes.
void consider_forbidding(ResultComparison& comparison, bool force) {
  if (comparison.forbidding.empty()) return;
  if (!force) {
    throw Error(ErrorKind::environment,
                fmt::format("compare: the numbers mean different things: {}; --force compares them "
                            "nevertheless",
                            join(comparison.forbidding, "; ")));
  }
  for (const std::string& line : comparison.forbidding) {
    std::fputs(fmt::format("warning: {}\n", printable(line)).c_str(), stderr);
    comparison.report.notes.push_back("forced though the numbers mean different things: " + line);
  }
}

void print(const ResultComparison& comparison, const std::string& json) {
  const bool to_stdout = json == "-";
  const ComparisonReport& report = comparison.report;
  const int descriptor = to_stdout ? STDERR_FILENO : STDOUT_FILENO;
  const std::string text = comparison_table(report, wants_color(descriptor));
  std::fputs(text.c_str(), to_stdout ? stderr : stdout);
  if (to_stdout) fmt::print("{}", comparison_file(report));
  if (!json.empty() && !to_stdout) write_atomically(json, comparison_file(report));
}

/// Said before anything else that is wrong: a machine that differs must not hide it.
int refuse_disjoint(const ResultComparison& comparison, const std::string& json) {
  print(comparison, json);
  std::fflush(stdout);
  std::string also;
  if (!comparison.forbidding.empty()) {
    also = "; besides, the numbers mean different things: " + join(comparison.forbidding, "; ");
  }
  std::fputs(fmt::format("ferrum-fa2-bench: compare: no workload is in both, by name and id: "
                         "nothing was compared{}\n",
                         printable(also))
                 .c_str(),
             stderr);
  return static_cast<int>(ExitCode::inconclusive);
}

}  // namespace

int compare_command(const CompareOptions& options) {
  const bool to_file = !options.json.empty() && options.json != "-";
  std::vector<std::string> files = options.baselines;
  files.push_back(options.next);
  if (to_file) check_writable(options.json);
  const std::vector<NamedReport> reports = load(files);
  const std::span<const NamedReport> baselines(reports.data(), reports.size() - 1);
  const NamedReport& next = reports.back();
  ResultComparison comparison =
      compare_results(baselines, next, {options.shim_of_base, options.shim_of_new},
                      rules_of(options, next.report.device.kind));
  if (comparison.common == 0) return refuse_disjoint(comparison, options.json);
  consider_forbidding(comparison, options.force);
  print(comparison, options.json);
  return static_cast<int>(exit_code(comparison));
}

}  // namespace fa2bench
