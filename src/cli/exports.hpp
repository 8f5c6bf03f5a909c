// SPDX-License-Identifier: MIT
// Results in other formats, each at the place that its option names: what --markdown, --junit,
// --csv and --gbench write, and what a step of GitHub Actions is told without being asked.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "result/report.hpp"

namespace fa2bench {

/// A new format is one more line here, its files in output/ and its test.
struct ExportFormat {
  const char* option;       ///< "--csv"
  const char* description;  ///< for the help
  bool of_files;            ///< also of a comparison of files, which has no samples
  std::string (*write)(const Report& report);
};
inline constexpr std::size_t kExportFormatCount = 4;
const std::array<ExportFormat, kExportFormatCount>& export_formats();

/// In the order of export_formats(); "": not wanted; "-": stdout.
using ExportPaths = std::array<std::string, kExportFormatCount>;

/// Of one output that an option names: refused where it is an input, Error(usage), or cannot be
/// written, Error(environment). "" and "-" are no files.
void check_place(const std::string& option, const std::string& path,
                 const std::vector<std::string>& inputs);

class Exports {
 public:
  /// Everything that can be refused is refused here, before anything is measured. `output` is where
  /// the result itself goes, by the option `output_option`. Throws Error(usage) where two would go
  /// to one place, or one over an input; Error(environment) where a place cannot be written.
  Exports(ExportPaths paths, const std::string& output_option, const std::string& output,
          const std::vector<std::string>& inputs);

  /// stdout is one of them: nothing else may be printed there.
  [[nodiscard]] bool to_stdout() const;
  /// Removes what an older run left, which would be taken for this one's.
  void start() const;
  /// Writes all that can be written, of whatever was finished. Why one could not, else "".
  [[nodiscard]] std::string write(const Report& report) const;

 private:
  ExportPaths paths_;
};

/// What is printed for people: as it is, but in a step of GitHub Actions without lines that a name
/// in them makes a command.
std::string log_text(const std::string& text);

/// In a step of GitHub Actions: annotations on stdout, or on stderr where stdout is taken, and the
/// Markdown appended to the summary of the step. Why the summary could not be, else "".
std::string tell_github(const Report& report, bool stdout_is_taken);

}  // namespace fa2bench
