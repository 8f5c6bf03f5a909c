// SPDX-License-Identifier: MIT
// Lines below the table, each said once with the workloads that it holds for.
#pragma once

#include <string>
#include <vector>

namespace fa2bench {

/// "out and lse", "out", "lse" or "".
std::string tensors(bool out, bool lse);

class Notes {
 public:
  void add(const std::string& note, const std::string& workload);
  /// One line each, in the order in which they first came up; "" if there is none.
  [[nodiscard]] std::string text() const;

 private:
  struct Note {
    std::string text;
    std::vector<std::string> workloads;
  };
  std::vector<Note> notes_;
};

}  // namespace fa2bench
