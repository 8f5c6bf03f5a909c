// SPDX-License-Identifier: MIT
// A worker, and what a shim started in it, never outlive the session.
#pragma once

namespace fa2bench {

/// For the child, first of all, while it has one thread: SIGKILL to it and to everything in its
/// group when the parent dies. Ends it at once if that happens meanwhile; a parent that died before
/// has closed the channel.
void die_with_parent();

}  // namespace fa2bench
