// SPDX-License-Identifier: MIT
// worker_helper parent: starts `worker_helper child`, passes on what that tells, and stays.
// worker_helper child: asks to die with its parent, starts a process of its own, tells both process
// ids, and stays.
#include <unistd.h>

#include <string>
#include <string_view>

#include "worker/orphan.hpp"
#include "worker/process.hpp"

namespace {

using namespace fa2bench;

[[noreturn]] void wait_for_ever() {
  while (true) ::pause();
}

[[noreturn]] void be_child() {
  die_with_parent();
  const pid_t grandchild = ::fork();
  if (grandchild == 0) wait_for_ever();
  Channel channel{Descriptor(kWorkerSocket)};
  if (!channel.send(std::to_string(::getpid()) + " " + std::to_string(grandchild))) ::_exit(2);
  wait_for_ever();
}

[[noreturn]] void be_parent() {
  ChildProcess child("/proc/self/exe", {"child"});
  std::string text;
  const auto never = Channel::Clock::time_point::max();
  if (child.channel().receive(text, never) != Received::message) ::_exit(3);
  Channel channel{Descriptor(kWorkerSocket)};
  if (!channel.send(text)) ::_exit(4);
  wait_for_ever();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  if (std::string_view(argv[1]) == "parent") be_parent();
  be_child();
}
