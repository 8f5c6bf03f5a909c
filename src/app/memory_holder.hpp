// SPDX-License-Identifier: MIT
// A process of our own, with no shim in it, that holds the memory which all shims of a run are
// timed on: so it outlives each of them, and none gets to choose it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/shared_pool.hpp"
#include "measure/samples.hpp"
#include "worker/process.hpp"
#include "workload/plan.hpp"

namespace fa2bench {

/// Set to anything but "" and "0": no memory is shared.
inline constexpr const char* kNoSharingVariable = "FA2BENCH_NO_SHARED_MEMORY";

struct PoolRequest {
  Bytes layer_size;        ///< see size_of_layer
  std::size_t layers = 1;  ///< wanted; as many as leave `reserve` free, and one in any case
  Bytes reserve;           ///< what the processes will allocate besides
};

/// For processes that time this workload in these modes, each with a shim.
PoolRequest pool_for(const Workload& workload, const Plan& plan, const std::vector<Mode>& modes,
                     Bytes l2, int processes);

struct PoolAnswer {
  std::optional<SharedPool> pool;
  std::string obstacle;  ///< why there is none; else ""
};

class MemoryHolder {
 public:
  /// `program`: this tool's own binary; `device`: the text of --device. Starts nothing yet.
  MemoryHolder(std::filesystem::path program, std::string device);

  /// Frees what was shared before, which nobody may have open any more, and shares memory anew.
  /// Whatever becomes of the holder, this answers; from then on with the same obstacle.
  PoolAnswer share(const PoolRequest& request, const std::function<bool()>& stop = {});

 private:
  PoolAnswer refuse_for_good(std::string obstacle);

  std::filesystem::path program_;
  std::string device_;
  std::optional<ChildProcess> child_;
  std::string obstacle_;  ///< there will be no more memory; "" as long as there may be
};

/// The program of that process: serves until its session hangs up. Returns its exit code.
int serve_memory(Channel& channel);

}  // namespace fa2bench
