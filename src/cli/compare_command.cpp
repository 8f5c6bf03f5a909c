// SPDX-License-Identifier: MIT
// Two result files, or more, and which is faster.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cli/color.hpp"
#include "cli/commands.hpp"
#include "cli/exports.hpp"
#include "compare/compare_results.hpp"
#include "compare/outcome.hpp"
#include "output/comparison_table.hpp"
#include "result/comparison_json.hpp"
#include "result/read_report.hpp"
#include "result/report_json.hpp"

namespace fa2bench {
namespace {

/// What is given to `compare` instead of a result is most often one of these two.
void expect_result(const JsonDocument& document) {
  const JsonReader root(document);
  const auto schema = root.find("schema");
  if (!schema) {
    root.fail(fmt::format("a result of this tool, which has \"schema\": \"{}\"", kResultSchema),
              "an object without \"schema\"");
  }
  const std::string& name = schema->text();
  if (name == kResultSchema) return;
  if (name.starts_with("ferrum-fa2-bench/config/")) {
    schema->fail("a result; measure first: ferrum-fa2-bench --config FILE --output RESULT",
                 "a config");
  }
  if (name.starts_with("ferrum-fa2-bench/result/")) {
    schema->fail(
        fmt::format("\"{}\", which this build reads; measure again with it", kResultSchema));
  }
}

/// At once, as reading takes most of the time. The complaint is about the first file that has one.
std::vector<NamedReport> load(const std::vector<std::string>& files) {
  std::vector<NamedReport> reports(files.size());
  std::vector<std::exception_ptr> failures(files.size());
  parallel_for(files.size(), [&](std::size_t i) {
    try {
      const JsonDocument document = load_json(files[i], nullptr, kResultBounds);
      expect_result(document);
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

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool are_equal(const std::string& a, const std::string& b) {
  std::error_code error;
  const auto size = std::filesystem::file_size(a, error);
  if (error || size != std::filesystem::file_size(b, error) || error) return false;
  return content_of(a) == content_of(b);
}

/// A gate that compares a result with itself is always green, and a run that is given several times
/// does not tell what runs differ by. The last file is the new one.
void consider_copies(const std::vector<std::string>& files, ResultComparison& comparison) {
  for (std::size_t i = 1; i < files.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_equal(files[i], files[j])) continue;
      const std::string same =
          fmt::format("{} and {} are one and the same run", files[j], files[i]);
      if (i + 1 < files.size()) {
        comparison.forbidding.push_back(same + ", which counts once as a baseline");
      } else {
        comparison.report.notes.insert(comparison.report.notes.begin(),
                                       same + ": it is compared with itself");
      }
      break;
    }
  }
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

/// The comparison as a report of the new run, without its runs.
Report report_of(const ResultComparison& comparison, const NamedReport& next) {
  Report report;
  report.complete = next.report.complete;
  report.started = next.report.started;
  report.tool = next.report.tool;
  report.host = next.report.host;
  report.device = next.report.device;
  report.comparison = comparison.report;
  return report;
}

/// Everywhere that the options say. Throws Error(environment) where it cannot.
void print(const ResultComparison& comparison, const NamedReport& next,
           const CompareOptions& options, const Exports& exports) {
  const bool stdout_is_taken = options.json == "-" || exports.to_stdout();
  const int descriptor = stdout_is_taken ? STDERR_FILENO : STDOUT_FILENO;
  const std::string text = log_text(comparison_table(comparison.report, wants_color(descriptor)));
  std::fputs(text.c_str(), stdout_is_taken ? stderr : stdout);
  if (options.json == "-") {
    fmt::print("{}", comparison_file(comparison.report));
  } else if (!options.json.empty()) {
    write_atomically(options.json, comparison_file(comparison.report));
  }
  const Report report = report_of(comparison, next);
  const std::string unwritten = exports.write(report);
  const std::string untold = tell_github(report, stdout_is_taken);
  if (!untold.empty()) std::fputs((untold + '\n').c_str(), stderr);
  if (!unwritten.empty()) throw Error(ErrorKind::environment, unwritten);
}

/// Said before anything else that is wrong: a machine that differs must not hide it.
int refuse_disjoint(const ResultComparison& comparison, const NamedReport& next,
                    const CompareOptions& options, const Exports& exports) {
  print(comparison, next, options, exports);
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
  check_place("--json", options.json, files);
  const Exports exports(options.exports, "--json", options.json, files);
  exports.start();
  if (to_file) remove_older(options.json);
  const std::vector<NamedReport> reports = load(files);
  const std::span<const NamedReport> baselines(reports.data(), reports.size() - 1);
  const NamedReport& next = reports.back();
  ResultComparison comparison =
      compare_results(baselines, next, {options.shim_of_base, options.shim_of_new},
                      rules_of(options, next.report.device.kind));
  consider_copies(files, comparison);
  if (comparison.common == 0) {
    return refuse_disjoint(comparison, next, options, exports);
  }
  consider_forbidding(comparison, options.force);
  print(comparison, next, options, exports);
  return static_cast<int>(exit_code(comparison));
}

}  // namespace fa2bench
