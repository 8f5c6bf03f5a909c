// SPDX-License-Identifier: MIT
// Where the result of a run goes, and what happens when that place is lost.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result/report.hpp"

namespace fa2bench {

/// Where results go that are given no name.
inline constexpr const char* kResultFolder = "bench_results";

/// A file that is written whole after every workload; or stdout, a pipe or a device, which take one
/// text only: the last. No finished result is lost with its place: it is written elsewhere.
class ResultSink {
 public:
  /// `output`: "-" is stdout, "" a name that is given later. Throws if it could not be written, or
  /// is one of the `inputs`, the configs and shims of the run.
  ResultSink(const std::string& output, const std::vector<std::string>& inputs);
  void name_if_unnamed(const std::filesystem::path& path);

  /// Before anything is measured: throws if it cannot.
  void start(const Report& report) const;
  /// Instead of start(), where nothing can be measured: removes the file of an older run, which
  /// would be taken for this one's.
  void abandon() const;
  /// After every workload. Why it could not, when that happens first, else "". The run goes on: the
  /// next result may find the place again.
  std::string save(const Report& report);
  /// At the end; into the temporary folder, if it cannot be where it should.
  void finish(const Report& report);

  /// After finish: where the result is instead, and why; "" if all went well.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] bool to_stdout() const { return to_stdout_; }
  /// Where the result is; "" if it is nowhere.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void rescue(const std::string& text, const std::string& why);

  bool to_stdout_;
  std::filesystem::path path_;
  bool complained_ = false;
  std::string failure_;
};

}  // namespace fa2bench
