// SPDX-License-Identifier: MIT
#include "device/nvml/processes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace fa2bench::nvml {
namespace {

/// Where a link of /proc points to; "" if it cannot be read.
std::string link_target(const std::string& link) {
  std::error_code code;
  const std::filesystem::path target = std::filesystem::read_symlink(link, code);
  return code ? "" : target.string();
}

/// What is in use and belongs to nobody who is listed.
std::optional<Bytes> unexplained_memory(const Neighbours& seen) {
  if (!seen.memory_in_use) return std::nullopt;
  std::uint64_t listed = 0;
  for (const Process& process : seen.listed) {
    if (process.used_memory == kMemoryUnknown) return std::nullopt;
    listed += process.used_memory;
  }
  const std::uint64_t in_use = seen.memory_in_use->count;
  return Bytes{in_use > listed ? in_use - listed : 0};
}

}  // namespace

std::optional<ProcessFacts> read_process(int pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  ProcessFacts facts{0, link_target(folder + "/exe")};
  std::ifstream file(folder + "/stat");
  const std::string stat{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // "42 (name) S 41 …": the name may hold anything, a ')' too.
  const std::size_t name_end = stat.rfind(')');
  if (facts.executable.empty() || name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(stat.substr(name_end + 1));
  std::string state;
  if (!(rest >> state >> facts.parent)) return std::nullopt;
  return facts;
}

bool is_of_this_run(int pid, int self, const ProcessLookup& lookup) {
  if (pid == self) return true;
  const auto own = lookup(self);
  const auto other = lookup(pid);
  if (!own || !other || other->executable != own->executable) return false;
  const auto parent = lookup(own->parent);
  const bool we_are_a_worker = parent && parent->executable == own->executable;
  const int tool = we_are_a_worker ? own->parent : self;
  return pid == tool || other->parent == tool;
}

std::optional<int> count_others(const Neighbours& seen) {
  const auto ours = std::count_if(
      seen.listed.begin(), seen.listed.end(),
      [&](const Process& process) { return seen.ours(static_cast<int>(process.pid)); });
  if (seen.we_hold_a_context && ours == 0) return std::nullopt;
  const int others = static_cast<int>(seen.listed.size()) - static_cast<int>(ours);
  if (others > 0 || !seen.own_namespace) return others;
  const auto unexplained = unexplained_memory(seen);
  return unexplained && *unexplained <= kNobodysMemory ? std::optional(0) : std::nullopt;
}

bool in_own_pid_namespace() {
  // The number of the first namespace is the same on every Linux (PROC_PID_INIT_INO).
  return link_target("/proc/self/ns/pid") != "pid:[4026531836]";
}

}  // namespace fa2bench::nvml
