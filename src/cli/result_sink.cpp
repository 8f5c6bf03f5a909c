// SPDX-License-Identifier: MIT
#include "cli/result_sink.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "result/report_json.hpp"

namespace fa2bench {
namespace {

void print_whole(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return;
  throw Error(ErrorKind::environment,
              fmt::format("cannot write the result to stdout: {}", std::strerror(errno)));
}

/// In the temporary folder, where anybody may write: a known name could be somebody's trap.
std::filesystem::path make_private_folder() {
  std::error_code code;
  const auto parent = std::filesystem::temp_directory_path(code);
  std::string name = (parent / "ferrum-fa2-bench-XXXXXX").string();
  if (!code && ::mkdtemp(name.data()) != nullptr) return name;
  throw Error(ErrorKind::environment, fmt::format("cannot write a temporary folder: {}",
                                                  code ? code.message() : std::strerror(errno)));
}

}  // namespace

ResultSink::ResultSink(const std::string& output, const std::vector<std::string>& inputs)
    : to_stdout_(output == "-"), path_(output) {
  if (to_stdout_) return;
  for (const std::string& input : inputs) {
    std::error_code code;
    if (std::filesystem::equivalent(path_, input, code)) {
      throw Error(ErrorKind::usage, fmt::format("--output {}: is a config or a shim of this run; "
                                                "name another file",
                                                output));
    }
  }
  std::filesystem::path probe = path_;
  if (output.empty()) {
    std::error_code code;  // check_writable says what is wrong with the folder
    std::filesystem::create_directories(kResultFolder, code);
    probe = std::filesystem::path(kResultFolder) / "result.json";
  }
  check_writable(probe);
}

void ResultSink::name_if_unnamed(const std::filesystem::path& path) {
  if (!to_stdout_ && path_.empty()) path_ = path;
}

void ResultSink::start(const Report& report) const {
  if (!to_stdout_ && !is_stream(path_)) write_atomically(path_, report_json(report));
}

void ResultSink::abandon() const {
  if (!to_stdout_ && !path_.empty()) remove_older(path_);
}

std::string ResultSink::save(const Report& report) {
  try {
    start(report);
    return "";
  } catch (const Error& error) {
    return std::exchange(complained_, true) ? "" : error.what();
  }
}

void ResultSink::finish(const Report& report) {
  const std::string text = report_json(report);
  try {
    if (to_stdout_) {
      print_whole(text);
    } else {
      write_atomically(path_, text);
    }
  } catch (const Error& error) {
    rescue(text, error.what());
  }
}

void ResultSink::rescue(const std::string& text, const std::string& why) {
  try {
    path_ = make_private_folder() / (to_stdout_ ? "result.json" : path_.filename());
    write_atomically(path_, text);
    failure_ = fmt::format("the result is in {} instead: {}", path_.string(), why);
  } catch (const Error& error) {
    path_.clear();
    failure_ = fmt::format("the result is lost: {}; {}", why, error.what());
  }
}

}  // namespace fa2bench
