// SPDX-License-Identifier: MIT
// Which processes shims are timed in: those whose launches are quick.
//
// On an H200 a process that uses CUDA is of one of two classes, by chance, half of them each, and
// stays so: from one launch to the next in a chain of empty kernels it takes 1.35 to 1.43 µs, or
// 1.45 to 1.53 µs. Where a decode of two kernels takes 25.6 µs it takes 0.24 µs more in a process
// of the slow class, a prefill of one kernel of 27.9 µs 0.08 µs more; within a class processes
// agree to 0.07 %. A median over processes is therefore repeatable only if they are all of one
// class. The chain takes 3 ms, and a process that is not kept 0.25 s.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fa2bench {

class ChildProcess;

/// A launch that takes this much longer than the quickest known is of the slow class.
inline constexpr double kLaunchMarginUs = 0.06;
/// Processes that are looked at before the first is kept, to know what quick is. One at a time,
/// like all that are started: contexts made at the same time take many times as long.
inline constexpr int kLaunchLooks = 4;
/// Processes that are started until one is quick; the last is kept whatever it is.
inline constexpr int kLaunchTries = 12;

/// What a run has seen of its processes.
class LaunchClass {
 public:
  /// A process that was only looked at and can still be given a shim, any of the run.
  struct Waiting {
    double launch_us = 0.0;
    std::shared_ptr<ChildProcess> process;
  };
  std::vector<Waiting> waiting;

  void saw(std::optional<double> launch_us);
  /// A launch that takes no longer is quick; nothing if no process could tell.
  [[nodiscard]] std::optional<double> bound_us() const;

  /// True the first time.
  [[nodiscard]] bool first_use();

 private:
  std::optional<double> quickest_us_;
  bool used_ = false;
};

struct StartedProcess {
  std::optional<double> launch_us;  ///< nothing where it cannot tell: a CPU, no gate
  bool over = true;  ///< it goes on with its shim, or was lost; else it ended as it is not quick
};

/// Starts processes one after the other until one is quick. `start` is given what the launches of
/// the next may take for it to go on: 0 for one that is only looked at, nothing for one that is
/// kept whatever it is. The caller keeps what was started last; it may take one that was looked at
/// before, where `start` is free to.
void start_quick(LaunchClass& known,
                 const std::function<StartedProcess(std::optional<double> most_launch_us)>& start);

}  // namespace fa2bench
