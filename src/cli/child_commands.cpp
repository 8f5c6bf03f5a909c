// SPDX-License-Identifier: MIT
// The programs of the processes that the tool starts from its own binary.
#include <fcntl.h>
#include <fmt/format.h>

#include "app/memory_holder.hpp"
#include "app/self_test_peer.hpp"
#include "app/worker_main.hpp"
#include "cli/commands.hpp"
#include "worker/orphan.hpp"
#include "worker/process.hpp"

namespace fa2bench {
namespace {

/// `instead`: the command that starts one.
int serve_parent(const char* command, const char* instead, int (*serve)(Channel&)) {
  if (::fcntl(kWorkerSocket, F_GETFD) < 0) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: is started by the tool itself; use {}", command, instead));
  }
  die_with_parent();
  Channel channel{Descriptor(kWorkerSocket)};
  return serve(channel);
}

}  // namespace

int worker_command() { return serve_parent("worker", "run", serve); }
int peer_command() { return serve_parent("peer", "selftest", serve_self_test); }
int memory_command() { return serve_parent("memory", "run", serve_memory); }

}  // namespace fa2bench
