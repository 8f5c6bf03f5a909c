// SPDX-License-Identifier: MIT
// Shims that are functions of this program, and a small workload for them.
#pragma once

#include <functional>
#include <string>

#include "app/session.hpp"
#include "workload/workload.hpp"

namespace fa2bench::test {

/// What the fakes do at their n-th call, from 1. Right unless it says otherwise.
struct FakeOrder {
  int code = 0;                  ///< returned instead of computing
  std::string text;              ///< into err_buf, with code != 0
  bool wrong = false;            ///< computes, then spoils one element of out
  bool other_bits = false;       ///< computes, then moves one element of out to its neighbour
  bool idle = false;             ///< returns 0 and writes nothing
  bool nan = false;              ///< out is NaN
  bool stale = false;            ///< leaves what the call before left
  bool past_err_buf = false;     ///< writes one byte too many
  std::function<void()> action;  ///< done at the start of the call
};

/// Gives the orders of all fakes until it goes; one at a time. A C entry point has no `this`.
class FakeScript {
 public:
  explicit FakeScript(std::function<FakeOrder(int call)> order);
  ~FakeScript();
  FakeScript(const FakeScript&) = delete;
  FakeScript& operator=(const FakeScript&) = delete;
  /// Calls of any fake so far.
  [[nodiscard]] static int calls();
};

struct LabelledShim {
  std::string label;
  Shim shim;
};

/// Computes attention as the contract says, unless the script has other orders.
LabelledShim fake_shim(const std::string& label);
/// The same, but it describes other shapes.
LabelledShim fake_shim_for(const std::string& label, std::vector<int> head_dims,
                           std::vector<int> block_sizes);

/// Two short sequences, 2/1 heads of 16: a call takes microseconds.
Workload small_workload(const std::string& name);

}  // namespace fa2bench::test
