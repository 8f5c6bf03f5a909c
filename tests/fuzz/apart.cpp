// SPDX-License-Identifier: MIT
#include "apart.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "base/error.hpp"

namespace fa2bench::test {
namespace {

constexpr rlim_t kEndlessSeconds = 60;

enum Code : int { kReturned = 10, kRefused = 11, kThrew = 12 };

void send(int pipe, std::string_view text) {
  // A pipe's buffer holds this much without a reader.
  text = text.substr(0, 16384);
  while (!text.empty()) {
    const ssize_t sent = ::write(pipe, text.data(), text.size());
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

[[noreturn]] void run_child(int pipe, const std::function<std::string()>& action) {
  // A hang ends the child, not the patience of whoever runs the tests.
  const rlimit endless{kEndlessSeconds, kEndlessSeconds};
  ::setrlimit(RLIMIT_CPU, &endless);
  int code = kReturned;
  try {
    send(pipe, action());
  } catch (const Error& error) {
    send(pipe, error.what());
    code = kRefused;
  } catch (const std::exception& error) {
    send(pipe, error.what());
    code = kThrew;
  }
  ::_exit(code);
}

std::string read_all(int pipe) {
  std::string text;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0; (got = ::read(pipe, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return text;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

std::string fault_of(int status, const std::string& said) {
  if (WIFSIGNALED(status)) return fmt::format("{}", strsignal(WTERMSIG(status)));
  const int code = WEXITSTATUS(status);
  if (code == kReturned || code == kRefused) return "";
  return code == kThrew ? "threw: " + said : fmt::format("exit code {}", code);
}

}  // namespace

Outcome run_apart(const std::function<std::string()>& action) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child == 0) run_child(ends[1], action);
  ::close(ends[1]);
  Outcome outcome;
  outcome.said = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) != child) throw std::runtime_error("wait4");
  outcome.fault = fault_of(status, outcome.said);
  outcome.refused = WIFEXITED(status) && WEXITSTATUS(status) == kRefused;
  outcome.cpu_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  outcome.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return outcome;
}

}  // namespace fa2bench::test
