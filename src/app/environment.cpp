// SPDX-License-Identifier: MIT
#include "app/environment.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <array>
#include <ctime>
#include <fstream>

#include "device/host/host_facts.hpp"
#include "device/host/host_telemetry.hpp"

namespace fa2bench {
namespace {

/// PRETTY_NAME of os-release.
std::string system_name() {
  std::ifstream file("/etc/os-release");
  const std::string key = "PRETTY_NAME=";
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) continue;
    std::string value = line.substr(key.size());
    if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
  return "";
}

}  // namespace

HostFacts host_environment() {
  HostFacts host;
  utsname names{};
  if (::uname(&names) == 0) {
    host.hostname = names.nodename;
    host.kernel = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  host.system = system_name();
  const DeviceFacts cpu = host_facts();
  host.cpu = cpu.name;
  host.logical_cpus = cpu.processors;
  host.memory = cpu.memory;
  host.cpu_governor = cpu_governor();
  host.load_average = host_telemetry().load_average;
  return host;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string compact_time(const std::string& utc) {
  std::string text;
  for (const char c : utc) {
    if (c != '-' && c != ':') text += c;
  }
  return text;
}

std::string file_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    const bool lower = c >= 'a' && c <= 'z';
    if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c - 'A' + 'a');
    } else if (digit || lower || c == '.' || c == '_') {
      word += c;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

}  // namespace fa2bench
