// SPDX-License-Identifier: MIT
#include "worker/orphan.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "worker/channel.hpp"

namespace fa2bench {
namespace {

/// Readable once the process is over; none where the kernel is older than 5.3.
Descriptor watch_process(pid_t pid) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

/// The guard's life, with two watched processes. The death signal may end the worker before the
/// session's death can be seen.
[[noreturn]] void guard(int session, int worker) {
  constexpr int kGraceMs = 1000;
  std::array<pollfd, 2> either{pollfd{session, POLLIN, 0}, pollfd{worker, POLLIN, 0}};
  while (::poll(either.data(), either.size(), -1) < 0 && errno == EINTR) {
  }
  if (::poll(either.data(), 1, kGraceMs) > 0) ::kill(0, SIGKILL);
  ::_exit(0);  // the session is there and kills the group itself
}

/// The death signal is for the worker only. What its shim starts is killed by a second process in
/// the worker's group, which holds none of our descriptors.
void start_guard(pid_t session) {
  if (::getpgrp() != ::getpid()) return;  // not started by ChildProcess: the group is not ours
  const Descriptor session_fd = watch_process(session);
  const Descriptor worker_fd = watch_process(::getpid());
  if (session_fd.get() < 0 || worker_fd.get() < 0 || ::fork() != 0) return;
  ::prctl(PR_SET_NAME, "fa2bench-guard");
  ::dup2(session_fd.get(), STDIN_FILENO);
  ::dup2(worker_fd.get(), STDOUT_FILENO);
  ::close_range(STDERR_FILENO, ~0U, 0);
  guard(STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

void die_with_parent() {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Not "1 is nobody's parent": in a container without an init the session itself is process 1.
  if (::getppid() != parent) ::_exit(1);
  start_guard(parent);
}

}  // namespace fa2bench
