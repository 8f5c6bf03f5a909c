// SPDX-License-Identifier: MIT
// Cuts one call into tasks and items of work. Depends on the arguments and the number of cores
// alone, so that the same call gives the same bits again.
#pragma once

#include <cstddef>
#include <vector>

#include "shims/arguments.hpp"
#include "shims/cpu/attention.hpp"

namespace fa2bench::shims::cpu {

/// Tasks, longest items first. Item i belongs to the last task whose first_item is <= i, and is its
/// (group of KV heads, part) number i - first_item, parts fastest.
struct Schedule {
  std::vector<Task> tasks;
  std::size_t items = 0;
  std::size_t partial_floats = 0;  ///< for the results of all parts
  std::size_t counters = 0;        ///< one per group of KV heads of each split task
  std::size_t threads = 1;         ///< the caller included
};

/// Reads and checks the lengths and the live table entries: FERRUM_FA2_OK or BAD_SIZE with a text.
int check_sequences(const Arguments& arguments, ErrorText text);

/// The schedule of checked arguments for `cores` cores.
Schedule make_schedule(const Arguments& arguments, std::size_t cores);

}  // namespace fa2bench::shims::cpu
