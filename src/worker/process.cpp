// SPDX-License-Identifier: MIT
#include "worker/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace fa2bench {
namespace {

[[noreturn]] void fail(const char* what, int error) {
  throw Error(ErrorKind::environment,
              fmt::format("cannot start a worker: {}: {}", what, std::strerror(error)));
}

struct Pair {
  Descriptor ours;
  Descriptor theirs;
};

Pair make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    fail("socketpair", errno);
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// ours: the reading end.
Pair make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Attributes and file actions of posix_spawn, freed together.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    // A group of its own, so that everything in it can be killed; no signal blocked or ignored.
    sigset_t none;
    sigemptyset(&none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void connect(int socket, int output) {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, kWorkerSocket);
  }

  pid_t run(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    pid_t pid = -1;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &actions_, &attributes_, argv.data(), environ);
    if (error != 0) fail(program.c_str(), error);
    return pid;
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

/// dup2 onto the same number would leave close-on-exec set: moves a low descriptor out of the way.
Descriptor above_worker_socket(Descriptor descriptor) {
  if (descriptor.get() > kWorkerSocket) return descriptor;
  const int moved = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, kWorkerSocket + 1);
  if (moved < 0) fail("fcntl", errno);
  return Descriptor(moved);
}

/// Bytes that may wait in it.
std::size_t pipe_capacity(int pipe) {
  const int bytes = ::fcntl(pipe, F_GETPIPE_SZ);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : kKeptOutputBytes;
}

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  return {false, WEXITSTATUS(status)};
}

}  // namespace

std::string Ending::text() const {
  if (!by_signal) return fmt::format("ended the process with exit code {}", code);
  const char* name = ::sigabbrev_np(code);
  return fmt::format("was killed by SIG{} ({})", name != nullptr ? name : std::to_string(code),
                     ::strsignal(code));  // NOLINT(concurrency-mt-unsafe): known signals only
}

ChildProcess::ChildProcess(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments) {
  Pair socket = make_socket_pair();
  Pair output = make_pipe();
  Pair wake = make_pipe();
  socket.theirs = above_worker_socket(std::move(socket.theirs));
  output.theirs = above_worker_socket(std::move(output.theirs));
  SpawnPlan plan;
  plan.connect(socket.theirs.get(), output.theirs.get());
  pid_ = plan.run(program, arguments);
  channel_.emplace(std::move(socket.ours));
  output_pipe_ = std::move(output.ours);
  output_wake_ = std::move(wake.ours);
  output_stop_ = std::move(wake.theirs);
  reader_ = std::thread([this] { read_output(); });
}

ChildProcess::~ChildProcess() { kill(); }

std::optional<Ending> ChildProcess::wait(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + patience;
  while (!ending_) {
    int status = 0;
    const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == pid_) {
      ending_ = ending_of(status);
    } else if (Clock::now() >= deadline) {
      break;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return ending_;
}

// The group outlives its leader: what the shim started is killed even if the worker has ended.
void ChildProcess::begin_kill() const { ::kill(-pid_, SIGKILL); }

Ending ChildProcess::kill() {
  begin_kill();
  int status = 0;
  while (!ending_ && ::waitpid(pid_, &status, 0) != pid_) {
    if (errno != EINTR) break;
  }
  if (!ending_) ending_ = ending_of(status);
  output_stop_.reset();
  if (reader_.joinable()) reader_.join();
  return *ending_;
}

std::string ChildProcess::output() const {
  const std::lock_guard lock(mutex_);
  return output_;
}

// Ends when every writer has closed the pipe, or when told: a grandchild that got away may hold it
// open, or print for ever. What the pipe held when it was told is still taken: a child's last
// words.
void ChildProcess::read_output() {
  constexpr std::size_t kNoLimit = SIZE_MAX;
  std::size_t limit = kNoLimit;
  std::array<char, 1U << 14U> chunk{};
  while (limit > 0) {
    std::array<pollfd, 2> waiting{pollfd{output_pipe_.get(), POLLIN, 0},
                                  pollfd{output_wake_.get(), POLLIN, 0}};
    const bool told = limit != kNoLimit;
    if (::poll(waiting.data(), told ? 1 : 2, told ? 0 : -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (waiting[1].revents != 0) {
      limit = pipe_capacity(output_pipe_.get());
      continue;
    }
    if (waiting[0].revents == 0) return;
    const ssize_t got = ::read(output_pipe_.get(), chunk.data(), chunk.size());
    if (got == 0 || (got < 0 && errno != EINTR)) return;
    if (got < 0) continue;
    const auto bytes = static_cast<std::size_t>(got);
    if (told) limit -= std::min(limit, bytes);
    const std::lock_guard lock(mutex_);
    output_.append(chunk.data(), bytes);
    if (output_.size() > kKeptOutputBytes) output_.erase(0, output_.size() - kKeptOutputBytes);
  }
}

}  // namespace fa2bench
