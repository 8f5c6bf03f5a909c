// SPDX-License-Identifier: MIT
#include "app/output_board.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fa2bench {

OutputBoard::OutputBoard()
    : file_(::memfd_create("fa2bench outputs", MFD_CLOEXEC)),
      path_(fmt::format("/proc/{}/fd/{}", ::getpid(), file_.get())) {}

}  // namespace fa2bench
