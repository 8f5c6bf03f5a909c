// SPDX-License-Identifier: MIT
// The program of a worker process.
#pragma once

#include "worker/channel.hpp"

namespace fa2bench {

/// Serves the session at the other end until it hangs up; returns the process's exit code.
int serve(Channel& channel);

}  // namespace fa2bench
