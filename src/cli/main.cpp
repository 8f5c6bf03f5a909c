// SPDX-License-Identifier: MIT
// The pipeline on one screen: command line → command → exit code. Errors end here, in one line.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace {

using namespace fa2bench;

/// std::visit with one lambda a type.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

int dispatch(const Command& command, const std::vector<std::string>& command_line) {
  return std::visit(
      Overloaded{
          [&](const RunOptions& options) { return run_command(options, command_line); },
          [](const PlanOptions& options) { return plan_command(options); },
          [](const CompareOptions& options) { return compare_command(options); },
          [](const DoctorOptions& options) { return doctor_command(options); },
          [](const SelfTestOptions& options) { return selftest_command(options); },
          [](const PeerOptions&) { return peer_command(); },
          [](const MemoryOptions&) { return memory_command(); },
          [](const WorkerOptions&) { return worker_command(); },
          [](const PrintText& print) {
            fmt::print("{}", print.text);
            return 0;
          },
      },
      command);
}

/// Opens what the caller left closed of stdin, stdout and stderr, so that no file or socket of ours
/// gets their numbers and what is printed.
void claim_standard_streams() {
  int fd = -1;
  do {
    fd = ::open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) ::close(fd);
}

int report_error(const std::string& text, ExitCode code) {
  std::fputs(fmt::format("ferrum-fa2-bench: {}\n", printable(text)).c_str(), stderr);
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  claim_standard_streams();
  try {
    const int code = dispatch(parse_command_line(argc, argv), {argv, argv + argc});
    // A full disk behind stdout shows only when what is buffered has to go.
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "stdout");
    return code;
  } catch (const Error& error) {
    return report_error(error.what(), exit_code(error.kind()));
  } catch (const std::system_error& error) {
    return report_error(fmt::format("the system refused: {}", error.what()), ExitCode::environment);
  } catch (const std::bad_alloc&) {
    return report_error("out of host memory", ExitCode::environment);
  } catch (const std::exception& error) {
    return report_error(fmt::format("internal error: {}", error.what()), ExitCode::internal);
  }
}
