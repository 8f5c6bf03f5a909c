// SPDX-License-Identifier: MIT
#include "cli/workloads.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <regex>
#include <unordered_map>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "workload/config.hpp"

namespace fa2bench {
namespace {

std::regex compile(const std::string& pattern) {
  try {
    return std::regex(pattern, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    throw Error(ErrorKind::usage,
                fmt::format("--filter {}: not a regular expression: {}", pattern, error.what()));
  }
}

/// What tells the files apart: their stems, else their paths, numbered where one is given twice.
std::vector<std::string> file_labels(const std::vector<std::string>& files) {
  std::map<std::string, int> stems;
  for (const std::string& file : files) ++stems[std::filesystem::path(file).stem().string()];
  std::map<std::string, int> paths;
  std::vector<std::string> labels;
  for (const std::string& file : files) {
    const std::string stem = std::filesystem::path(file).stem().string();
    const int use = ++paths[file];
    std::string label = printable(stems[stem] == 1 ? stem : file);
    if (use > 1) label += fmt::format(" ({})", use);
    labels.push_back(std::move(label));
  }
  return labels;
}

/// Several configs may use the same name; then each is called by its file too.
void make_names_unique(std::vector<Workload>& workloads, const std::vector<std::size_t>& file_of,
                       const std::vector<std::string>& files) {
  std::map<std::string, int> uses;
  for (const Workload& workload : workloads) ++uses[workload.name];
  const std::vector<std::string> labels = file_labels(files);
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (uses[workloads[i].name] == 1) continue;
    workloads[i].name = fmt::format("{}: {}", labels[file_of[i]], workloads[i].name);
  }
}

/// Workloads that are measured again under another name: legal, and seldom meant.
std::string repetition_note(const std::vector<Workload>& workloads) {
  std::unordered_map<std::string, std::string> names;  // by id
  std::string first;
  std::size_t count = 0;
  for (const Workload& workload : workloads) {
    const auto [other, fresh] = names.emplace(workload.id, workload.name);
    if (fresh) continue;
    if (count++ == 0) first = fmt::format(R"("{}" is "{}")", workload.name, other->second);
  }
  if (count == 0) return "";
  return fmt::format("the same workload under another name: {}{}", first,
                     count > 1 ? fmt::format(", and {} more", count - 1) : "");
}

}  // namespace

SelectedWorkloads select_workloads(const WorkloadOptions& options) {
  if (options.configs.empty()) {
    throw Error(ErrorKind::usage,
                "no workloads: give --config FILE, for example --config configs/decode.json");
  }
  SelectedWorkloads selected;
  selected.files = options.configs;
  std::vector<std::size_t> file_of;
  Sha256 digest;
  for (std::size_t file = 0; file < options.configs.size(); ++file) {
    std::string bytes;
    const JsonDocument document = load_json(options.configs[file], &bytes);
    digest.update(bytes);
    for (Workload& workload : read_config(document, options.seed)) {
      selected.workloads.push_back(std::move(workload));
      file_of.push_back(file);
    }
  }
  selected.sha256 = digest.hex();
  make_names_unique(selected.workloads, file_of, selected.files);
  if (!options.filter.empty()) {
    const std::regex pattern = compile(options.filter);
    std::erase_if(selected.workloads, [&](const Workload& workload) {
      return !std::regex_search(workload.name, pattern);
    });
  }
  if (selected.workloads.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("--filter {}: matches none of {} workloads; --list shows their names",
                            options.filter, file_of.size()));
  }
  selected.note = repetition_note(selected.workloads);
  return selected;
}

void select_only(SelectedWorkloads& selected, const std::string& option, const std::string& name) {
  std::vector<std::string> names;
  for (const Workload& workload : selected.workloads) names.push_back(workload.name);
  std::erase_if(selected.workloads, [&](const Workload& it) { return it.name != name; });
  if (!selected.workloads.empty()) return;
  const std::string close = nearest(name, names);
  throw Error(ErrorKind::usage,
              fmt::format("{} {}: no workload of that name{}; --list shows their names", option,
                          name, close.empty() ? "" : fmt::format(" (did you mean {}?)", close)));
}

}  // namespace fa2bench
