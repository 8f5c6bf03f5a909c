// SPDX-License-Identifier: MIT
#include "cli/exports.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "output/annotations.hpp"
#include "output/csv.hpp"
#include "output/gbench.hpp"
#include "output/junit.hpp"
#include "output/markdown.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;

/// The same place, whether it is there yet or not.
bool same_place(const std::string& a, const std::string& b) {
  std::error_code code;
  if (fs::equivalent(a, b, code)) return !is_stream(a);
  return fs::absolute(a, code).lexically_normal() == fs::absolute(b, code).lexically_normal() &&
         !is_stream(a);
}

void refuse_clash(const std::string& option, const std::string& path, const std::string& other,
                  const std::string& other_path) {
  if (path.empty() || other_path.empty()) return;
  if (path == "-" && other_path == "-") {
    throw Error(ErrorKind::usage,
                fmt::format("{} - beside {} -: only one of them can have stdout", option, other));
  }
  if (path == "-" || other_path == "-" || !same_place(path, other_path)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{0} {1}: {2} writes there; name another file", option, path, other));
}

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before any thread
  return value == nullptr ? "" : value;
}

bool in_github_actions() { return environment_variable("GITHUB_ACTIONS") == "true"; }

}  // namespace

const std::array<ExportFormat, kExportFormatCount>& export_formats() {
  static constexpr std::array<ExportFormat, kExportFormatCount> kFormats{{
      {"--markdown", "Also as Markdown, for a comment on a pull request; a file, or - for stdout",
       true, to_markdown},
      {"--junit", "Also as JUnit XML; a file, or - for stdout", true, to_junit},
      {"--csv", "Also as comma-separated values; a file, or - for stdout", true, to_csv},
      {"--gbench", "Also as Google Benchmark's JSON; a file, or - for stdout", false, to_gbench},
  }};
  return kFormats;
}

void check_place(const std::string& option, const std::string& path,
                 const std::vector<std::string>& inputs) {
  if (path.empty() || path == "-") return;
  for (const std::string& input : inputs) {
    std::error_code code;
    if (!fs::equivalent(path, input, code)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} {}: is an input of this run; name another file", option, path));
  }
  check_writable(path);
}

Exports::Exports(ExportPaths paths, const std::string& output_option, const std::string& output,
                 const std::vector<std::string>& inputs)
    : paths_(std::move(paths)) {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::string option = export_formats().at(i).option;
    const std::string& path = paths_.at(i);
    if (path.empty()) continue;
    refuse_clash(option, path, output_option, output);
    for (std::size_t other = 0; other < i; ++other) {
      refuse_clash(option, path, export_formats().at(other).option, paths_.at(other));
    }
    check_place(option, path, inputs);
  }
}

bool Exports::to_stdout() const {
  for (const std::string& path : paths_) {
    if (path == "-") return true;
  }
  return false;
}

void Exports::start() const {
  for (const std::string& path : paths_) {
    if (!path.empty() && path != "-") remove_older(path);
  }
}

std::string Exports::write(const Report& report) const {
  std::string failure;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::string& path = paths_.at(i);
    if (path.empty()) continue;
    const std::string text = export_formats().at(i).write(report);
    std::string why;
    if (path == "-") {
      const bool whole = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
      if (!whole) why = fmt::format("cannot write to stdout: {}", std::strerror(errno));
    } else {
      try {
        write_atomically(path, text);
      } catch (const Error& error) {
        why = error.what();
      }
    }
    if (failure.empty() && !why.empty()) {
      failure = fmt::format("{}: {}", export_formats().at(i).option, why);
    }
  }
  return failure;
}

std::string log_text(const std::string& text) {
  return in_github_actions() ? without_commands(text) : text;
}

std::string tell_github(const Report& report, bool stdout_is_taken) {
  if (in_github_actions()) {
    // The runner reads both.
    std::fputs(github_annotations(report).c_str(), stdout_is_taken ? stderr : stdout);
  }
  const std::string summary = environment_variable("GITHUB_STEP_SUMMARY");
  if (summary.empty()) return "";
  std::ofstream file(summary, std::ios::app | std::ios::binary);
  file << to_markdown(report) << '\n';
  file.close();
  return file ? ""
              : fmt::format("ferrum-fa2-bench: cannot append to GITHUB_STEP_SUMMARY, {}", summary);
}

}  // namespace fa2bench
