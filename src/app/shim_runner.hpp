// SPDX-License-Identifier: MIT
// One shim of a run, wherever it lives. Two implementations: in this process, and in a worker.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>

#include "app/launch_class.hpp"
#include "app/shim_host.hpp"
#include "worker/messages.hpp"

namespace fa2bench {

class ShimRunner {
 public:
  ShimRunner() = default;
  virtual ~ShimRunner() = default;
  ShimRunner(const ShimRunner&) = delete;
  ShimRunner& operator=(const ShimRunner&) = delete;

  /// Opens the device and loads the shim. Throws Error if that cannot be done; call once, first.
  virtual Opened open(const Open& open, const std::stop_token& stop) = 0;
  /// The next run is in a process of its own, where the runner has processes.
  virtual void renew() {}
  /// Whatever the shim does, this returns a run; its label is left to the caller.
  virtual Run run(const RunRequest& request, const PhaseListener& listener,
                  const std::stop_token& stop) = 0;
};

/// The shim is ready for its turns in this mode, or its run is over.
using Waiting = std::variant<Mode, Ran>;

/// A shim that takes turns with others, which takes a process that can wait. For each request begin
/// once; then, while it waits, take or end_turns.
class TurnRunner : public ShimRunner {
 public:
  /// Verifies, of a request in turns, and gets ready for its first mode.
  virtual Waiting begin(const RunRequest& request, const PhaseListener& listener,
                        const std::stop_token& stop) = 0;
  /// One turn; or the run, which is over because something went wrong in it.
  virtual std::variant<Took, Ran> take(const Turn& turn, const PhaseListener& listener,
                                       const std::stop_token& stop) = 0;
  /// No more of this mode.
  virtual Waiting end_turns(const TurnsOver& over, const PhaseListener& listener,
                            const std::stop_token& stop) = 0;
};

/// The shim's code runs here: for debuggers. A crash is a crash of this process.
std::unique_ptr<ShimRunner> make_in_process_runner();
/// With a host that is open already.
std::unique_ptr<ShimRunner> make_in_process_runner(ShimHost host);

struct WorkerSettings {
  std::filesystem::path program;         ///< this tool's own binary
  std::chrono::milliseconds timeout{0};  ///< for a phase of a workload, beyond its sampling time
  /// For a worker that is done to end by itself before it is killed: profilers write what they have
  /// when a process ends.
  std::chrono::milliseconds farewell{0};
  /// Of all workers of the run; null: they are taken as they come.
  std::shared_ptr<LaunchClass> launch_class = nullptr;
};

/// A run that was timed and verified, and whose process was then lost (how, says `status`): in the
/// mode that is untimed without a reason; else, if it has `kernels`, while they were traced; else
/// while a graph was replayed. Only that is lost.
Run lost_afterwards(Run run, Status status, const std::string& why);

/// The shim's code runs in a child process that is killed when it does not answer. After a loss the
/// next run starts another.
std::unique_ptr<TurnRunner> make_worker_runner(WorkerSettings settings);

}  // namespace fa2bench
