// SPDX-License-Identifier: MIT
// Whether a shim's work stays on the stream it was given. Work elsewhere is not between the events
// that time it, and would look infinitely fast.
#pragma once

#include <string>

#include "app/checked_calls.hpp"

namespace fa2bench {

/// Calls with the stream held; out and lse must not change until it is let go. "" if they did not,
/// or if the device has no gate, or if the shim waits for the device (then it is timed without the
/// gate anyway). Call after a first call: lazy loading behind a held stream would wait for ever.
std::string work_outside_stream(const Shim& shim, const WorkloadOnDevice& target);

}  // namespace fa2bench
