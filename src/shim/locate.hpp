// SPDX-License-Identifier: MIT
// Which shims a run uses: --shim, else the environment, else the bundled one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fa2bench {

inline constexpr const char* kShimVariable = "FERRUM_FA2_DIRECT_FFI_SHIM";

/// One shim to load. Nothing has looked at the file yet; load_shim() does.
struct ShimRequest {
  std::string label;           ///< unique in a run; [A-Za-z0-9_.+-]+ if the user gave it
  std::filesystem::path path;  ///< absolute
  std::string origin;          ///< "--shim", "FERRUM_FA2_DIRECT_FFI_SHIM" or "bundled"
};

/// Everything the choice depends on; nothing is read from the process.
struct ShimSources {
  std::vector<std::string> arguments;      ///< the values of --shim, [LABEL=]PATH each
  std::optional<std::string> environment;  ///< the variable's value; an empty one counts as unset
  std::filesystem::path executable;        ///< of this tool, to find what is bundled with it
  std::string device_kind;                 ///< "cpu" or "cuda": which bundled shim
  std::filesystem::path current_folder;    ///< absolute; relative paths start here
};

/// The shims in the order given; never empty. Throws Error(usage) for an argument without a path or
/// a label given twice, Error(environment) if the bundled shim is wanted and not there.
[[nodiscard]] std::vector<ShimRequest> locate_shims(const ShimSources& sources);

/// The bundled shim, or nothing. Looks beside the executable and in the library folders of a build
/// tree and of an installation.
[[nodiscard]] std::optional<std::filesystem::path> find_bundled_shim(
    const std::filesystem::path& executable, std::string_view device_kind);

/// The folders find_bundled_shim() looks in, in order.
[[nodiscard]] std::vector<std::filesystem::path> bundled_shim_folders(
    const std::filesystem::path& executable);

/// The path of this program, for ShimSources::executable.
[[nodiscard]] std::filesystem::path own_executable();

}  // namespace fa2bench
