// SPDX-License-Identifier: MIT
#include "output/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/text.hpp"

namespace fa2bench {

std::string tensors(bool out, bool lse) {
  if (out && lse) return "out and lse";
  if (out) return "out";
  return lse ? "lse" : "";
}

void Notes::add(const std::string& note, const std::string& workload) {
  const auto found =
      std::find_if(notes_.begin(), notes_.end(), [&](const Note& n) { return n.text == note; });
  if (found == notes_.end()) {
    notes_.push_back({note, {workload}});
  } else if (found->workloads.back() != workload) {
    found->workloads.push_back(workload);
  }
}

std::string Notes::text() const {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (const Note& note : notes_) {
    const std::size_t shown = std::min(kShown, note.workloads.size());
    const auto end = note.workloads.begin() + static_cast<std::ptrdiff_t>(shown);
    std::string names = join({note.workloads.begin(), end});
    if (const std::size_t rest = note.workloads.size() - shown; rest > 0) {
      names += fmt::format(" and {} more", rest);
    }
    text += fmt::format("{} (in {})\n", note.text, names);
  }
  return text;
}

}  // namespace fa2bench
