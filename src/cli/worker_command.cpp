// SPDX-License-Identifier: MIT
#include <fcntl.h>

#include "app/worker_main.hpp"
#include "cli/commands.hpp"
#include "worker/orphan.hpp"
#include "worker/process.hpp"

namespace fa2bench {

int worker_command() {
  if (::fcntl(kWorkerSocket, F_GETFD) < 0) {
    throw Error(ErrorKind::usage, "worker: is started by the tool itself; use run");
  }
  die_with_parent();
  Channel channel{Descriptor(kWorkerSocket)};
  return serve(channel);
}

}  // namespace fa2bench
