// SPDX-License-Identifier: MIT
#include "shim/locate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;

bool is_label(std::string_view text) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-";
  return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}

/// Absolute always: a name without a slash would send dlopen through the library path instead of to
/// the file beside it, and a worker may start in another folder.
fs::path absolute_in(const fs::path& folder, std::string_view text) {
  return folder / fs::path(text);
}

/// An argument before labels are made up. An empty label: none was given.
ShimRequest parse_argument(const std::string& argument, const fs::path& folder) {
  ShimRequest request{"", absolute_in(folder, argument), "--shim"};
  const std::size_t equals = argument.find('=');
  const std::string_view label = std::string_view(argument).substr(0, equals);
  const bool labelled = equals != std::string::npos && is_label(label) && !is_there(request.path);
  const std::string_view path =
      labelled ? std::string_view(argument).substr(equals + 1) : std::string_view(argument);
  if (path.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("--shim \"{}\": no path; expected [LABEL=]PATH", printable(argument)));
  }
  if (labelled) {
    request.label = label;
    request.path = absolute_in(folder, path);
  }
  return request;
}

std::string default_label(const fs::path& path) {
  std::string stem = printable(path.stem().string());
  if (stem.starts_with("lib") && stem.size() > 3) stem.erase(0, 3);
  return stem.empty() ? "shim" : stem;
}

void require_distinct_labels(const std::vector<ShimRequest>& requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (requests[i].label.empty() || requests[i].label != requests[j].label) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("--shim: the label \"{}\" is given twice; expected distinct labels",
                              requests[i].label));
    }
  }
}

/// Gives the unlabelled their file's name, numbered where it is taken.
void make_labels(std::vector<ShimRequest>& requests) {
  const auto taken = [&](const std::string& label) {
    return std::any_of(requests.begin(), requests.end(),
                       [&](const ShimRequest& request) { return request.label == label; });
  };
  for (ShimRequest& request : requests) {
    if (!request.label.empty()) continue;
    const std::string stem = default_label(request.path);
    std::string label = stem;
    for (int number = 2; taken(label); ++number) label = fmt::format("{}-{}", stem, number);
    request.label = label;
  }
}

std::string bundled_name(std::string_view device_kind) {
  return fmt::format("libferrum_fa2_shim_{}.so", device_kind);
}

ShimRequest bundled_request(const ShimSources& sources) {
  const auto path = find_bundled_shim(sources.executable, sources.device_kind);
  if (path) return {"", *path, "bundled"};
  std::vector<std::string> looked;
  for (const fs::path& folder : bundled_shim_folders(sources.executable)) {
    looked.push_back(printable(folder.string()));
  }
  throw Error(ErrorKind::environment,
              fmt::format("no bundled shim {} in {}; name one with --shim or {}, or build it",
                          bundled_name(sources.device_kind), join(looked), kShimVariable));
}

}  // namespace

std::vector<ShimRequest> locate_shims(const ShimSources& sources) {
  std::vector<ShimRequest> requests;
  for (const std::string& argument : sources.arguments) {
    requests.push_back(parse_argument(argument, sources.current_folder));
  }
  require_distinct_labels(requests);
  if (requests.empty() && sources.environment && !sources.environment->empty()) {
    requests.push_back(
        {"", absolute_in(sources.current_folder, *sources.environment), kShimVariable});
  }
  if (requests.empty()) requests.push_back(bundled_request(sources));
  make_labels(requests);
  return requests;
}

std::vector<fs::path> bundled_shim_folders(const fs::path& executable) {
  const fs::path bin = executable.parent_path();
  const fs::path prefix = bin.parent_path();
  constexpr const char* kPackage = "ferrum-fa2-bench";
  std::vector<fs::path> folders{prefix / "lib", prefix / "lib" / kPackage,
                                prefix / FA2BENCH_INSTALL_LIBDIR / kPackage,
                                prefix / "lib" / FA2BENCH_LIBRARY_ARCHITECTURE / kPackage, bin};
  std::vector<fs::path> distinct;
  for (const fs::path& folder : folders) {
    if (std::find(distinct.begin(), distinct.end(), folder) == distinct.end()) {
      distinct.push_back(folder);
    }
  }
  return distinct;
}

std::optional<fs::path> find_bundled_shim(const fs::path& executable,
                                          std::string_view device_kind) {
  for (const fs::path& folder : bundled_shim_folders(executable)) {
    fs::path candidate = folder / bundled_name(device_kind);
    if (is_there(candidate)) return candidate;
  }
  return std::nullopt;
}

fs::path own_executable() {
  std::error_code code;
  fs::path path = fs::read_symlink("/proc/self/exe", code);
  if (code) {
    throw Error(ErrorKind::environment,
                "/proc/self/exe cannot be read; mount /proc, or name a shim with --shim");
  }
  return path;
}

}  // namespace fa2bench
