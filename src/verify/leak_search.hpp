// SPDX-License-Identifier: MIT
// Finds out, by calling again on other contents, which memory a call reads that it must not.
#pragma once

#include <functional>
#include <string>

#include "verify/verifier.hpp"

namespace fa2bench {

/// For a call that was wrong for no known mistake. Calls once with all traps taken away, which can
/// show a known mistake that the traps hid, and once more with each kind alone: where that makes a
/// difference, the memory was read. "reads slots past seq_len", "reads unused blocks", "follows
/// unused table entries", a name of name_mistake(), or "" if nothing is found out. A result that
/// changes by itself is held against no memory: "differs from call to call on the same inputs".
///
/// `call` makes one call and waits for it; when it returns false, the search ends with what it has
/// found. So it does after some 15 seconds. In a large pool on a CPU the unused blocks stay NaN.
/// Refills the buffers, which afterwards hold another workload than they should.
std::string find_leak(const Verifier& verifier, Device& device, const WorkloadBuffers& buffers,
                      const std::function<bool()>& call);

}  // namespace fa2bench
