// SPDX-License-Identifier: MIT
// Who else computes on a GPU, from a list that need not be whole.
//
// The driver lists the processes that hold a context. From within a PID namespace of its own, as in
// a container, a process is shown only those of that namespace (the open kernel modules leave out
// the others without a word), or, by older drivers, all of them under the numbers of the host. So:
//   - a list that lacks us though we hold a context has other numbers, or nothing: not known;
//   - who is listed and not of this run is somebody else;
//   - that nobody is listed means that nobody is there only outside of such namespaces; within one,
//     only if nearly all memory in use belongs to who is listed. A context alone takes more.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "device/nvml/library.hpp"

namespace fa2bench::nvml {

/// A process, as /proc has it.
struct ProcessFacts {
  int parent = 0;
  std::string executable;
};
using ProcessLookup = std::function<std::optional<ProcessFacts>(int pid)>;

/// From /proc; nothing for one that is not there or not to be looked at.
std::optional<ProcessFacts> read_process(int pid);

/// Whether `pid` is of the run of `self`: the tool or one of its workers. They have one executable;
/// the tool is the parent of its workers.
bool is_of_this_run(int pid, int self, const ProcessLookup& lookup);

/// Memory that belongs to nobody who is listed, and yet to no process: the driver's.
inline constexpr Bytes kNobodysMemory = mib(128);

struct Neighbours {
  std::vector<Process> listed;
  std::function<bool(int pid)> ours = [](int) { return false; };
  bool we_hold_a_context = false;  ///< a process of this run does
  bool own_namespace = false;      ///< our PID namespace is not the machine's
  std::optional<Bytes> memory_in_use;
};
/// How many there are; nothing if not known. By the rule above.
std::optional<int> count_others(const Neighbours& seen);

/// Whether this process is in a PID namespace of its own.
bool in_own_pid_namespace();

}  // namespace fa2bench::nvml
