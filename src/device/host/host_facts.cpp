// SPDX-License-Identifier: MIT
#include "device/host/host_facts.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

namespace fa2bench {
namespace {

/// The value of "key : value" in a /proc file; "" if absent.
std::string proc_value(const char* path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

/// A size as /proc and /sys write it: "32768K", "24564 kB", "123".
std::optional<Bytes> parse_size(const std::string& text) {
  std::uint64_t value = 0;
  std::size_t used = 0;
  while (used < text.size() && text[used] >= '0' && text[used] <= '9') {
    value = value * 10 + static_cast<std::uint64_t>(text[used++] - '0');
  }
  if (used == 0) return std::nullopt;
  used = std::min(text.find_first_not_of(' ', used), text.size());
  const char unit = used < text.size() ? text[used] : ' ';
  if (unit == 'k' || unit == 'K') return kib(value);
  if (unit == 'm' || unit == 'M') return mib(value);
  return Bytes{value};
}

std::optional<Bytes> file_size_value(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  return parse_size(text);
}

/// The largest cache of CPU 0; 32 MiB where Linux does not say.
Bytes last_level_cache() {
  Bytes largest;
  for (int index = 0; index < 8; ++index) {
    const auto size = file_size_value("/sys/devices/system/cpu/cpu0/cache/index" +
                                      std::to_string(index) + "/size");
    if (size) largest = std::max(largest, *size);
  }
  return largest.count == 0 ? mib(32) : largest;
}

}  // namespace

Bytes available_host_memory() {
  Bytes available =
      parse_size(proc_value("/proc/meminfo", "MemAvailable")).value_or(Bytes{~0ULL >> 1U});
  const auto limit = file_size_value("/sys/fs/cgroup/memory.max");
  const auto used = file_size_value("/sys/fs/cgroup/memory.current");
  if (limit && used) {
    const Bytes left{limit->count > used->count ? limit->count - used->count : 0};
    available = std::min(available, left);
  }
  return available;
}

DeviceFacts host_facts() {
  DeviceFacts facts;
  facts.kind = DeviceKind::host;
  facts.name = proc_value("/proc/cpuinfo", "model name");
  if (facts.name.empty()) facts.name = "CPU";
  facts.processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  facts.l2 = last_level_cache();
  facts.memory = parse_size(proc_value("/proc/meminfo", "MemTotal")).value_or(Bytes{});
  return facts;
}

}  // namespace fa2bench
