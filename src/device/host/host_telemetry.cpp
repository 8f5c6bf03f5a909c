// SPDX-License-Identifier: MIT
#include "device/host/host_telemetry.hpp"

#include <sched.h>

#include <charconv>
#include <fstream>
#include <optional>

namespace fa2bench {
namespace {

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The number at the start of the text; not by a stream, which minds the locale.
std::optional<double> leading_number(const std::string& text) {
  double number = 0.0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc{} ? std::optional(number) : std::nullopt;
}

std::string value_of(const std::string& line) {
  const std::size_t colon = line.find(':');
  const std::size_t start =
      colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
  return start == std::string::npos ? "" : line.substr(start);
}

/// "cpu MHz" in the paragraph of this CPU.
std::optional<double> cpuinfo_mhz(const std::filesystem::path& path, int cpu) {
  std::ifstream file(path);
  std::string line;
  bool here = false;
  while (std::getline(file, line)) {
    if (line.starts_with("processor")) here = value_of(line) == std::to_string(cpu);
    if (here && line.starts_with("cpu MHz")) return leading_number(value_of(line));
  }
  return std::nullopt;
}

std::filesystem::path cpufreq(const std::filesystem::path& root, int cpu) {
  return root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "cpufreq";
}

}  // namespace

Telemetry host_telemetry(const std::filesystem::path& root, int cpu) {
  Telemetry telemetry;
  if (const auto khz = leading_number(first_line(cpufreq(root, cpu) / "scaling_cur_freq"))) {
    telemetry.cpu_mhz = *khz * 1e-3;
  } else {
    telemetry.cpu_mhz = cpuinfo_mhz(root / "proc/cpuinfo", cpu);
  }
  telemetry.load_average = leading_number(first_line(root / "proc/loadavg"));
  return telemetry;
}

Telemetry host_telemetry(const std::filesystem::path& root) {
  return host_telemetry(root, ::sched_getcpu());
}

std::string cpu_governor(const std::filesystem::path& root) {
  return first_line(cpufreq(root, 0) / "scaling_governor");
}

}  // namespace fa2bench
