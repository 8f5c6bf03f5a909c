// SPDX-License-Identifier: MIT
// Configs written inside tests.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "workload/config.hpp"

namespace fa2bench {

inline std::vector<Workload> read_text(const std::string& text) {
  return read_config(parse_json("c.json", text));
}

/// What the reader says about `text`; "" if it accepts it.
inline std::string complaint(const std::string& text) {
  try {
    read_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A config of these workloads, heads 4/2 by default.
inline std::string config_of(const std::string& workloads) {
  return R"({"schema": "ferrum-fa2-bench/config/v1",
 "defaults": {"num_heads": 4, "num_kv_heads": 2},
 "workloads": [)" +
         workloads + "]}";
}

/// The only workload of such a config.
inline Workload read_one(const std::string& workload) {
  return read_text(config_of(workload)).at(0);
}

/// The complaint about such a config, without its "c.json:3: ".
inline std::string fault_in(const std::string& workload) {
  const std::string text = complaint(config_of(workload));
  const std::string place = "c.json:3: ";
  return text.starts_with(place) ? text.substr(place.size()) : text;
}

inline std::filesystem::path source_dir() { return FA2BENCH_SOURCE_DIR; }

/// The workloads of a file in configs/, by name.
inline std::map<std::string, Workload> shipped(const char* file) {
  std::map<std::string, Workload> workloads;
  for (Workload& workload : read_config(load_json(source_dir() / "configs" / file))) {
    const std::string name = workload.name;
    workloads.emplace(name, std::move(workload));
  }
  return workloads;
}

/// The *.json files of a folder of the source tree, less JSON Schemas, sorted.
inline std::vector<std::filesystem::path> json_files(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".schema.json")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace fa2bench
