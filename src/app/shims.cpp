// SPDX-License-Identifier: MIT
#include "app/shims.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace fa2bench {
namespace {

void require_memory_of(DeviceKind device, const ShimRequest& request, const Shim& shim) {
  const bool device_memory = shim.description().device_memory;
  if (device_memory == (device == DeviceKind::cuda)) return;
  const std::string path = printable(request.path.string());
  if (!device_memory) {
    throw Error(ErrorKind::environment,
                fmt::format("{}: works on host memory; measure it with --device cpu", path));
  }
  if (shim.description().described) {
    throw Error(ErrorKind::environment,
                fmt::format("{}: works on device memory; measure it with --device cuda", path));
  }
  throw Error(
      ErrorKind::environment,
      fmt::format("{}: exports no ferrum_fa2_shim_describe, so it is taken to work on device "
                  "memory; measure it with --device cuda, or export one that says \"memory\": "
                  "\"host\"",
                  path));
}

/// A variable that was set long ago is easily forgotten: its name goes into the message.
Shim load(const ShimRequest& request) {
  try {
    return load_shim(request.path);
  } catch (const Error& error) {
    if (request.origin != kShimVariable) throw;
    throw Error(error.kind(), fmt::format("{} (${} names it)", error.what(), kShimVariable));
  }
}

ShimSources sources_of(const std::vector<std::string>& arguments, DeviceKind device) {
  ShimSources sources;
  sources.arguments = arguments;
  if (const char* value = std::getenv(kShimVariable)) {  // NOLINT(concurrency-mt-unsafe)
    sources.environment = value;
  }
  sources.executable = own_executable();
  sources.device_kind = device == DeviceKind::cuda ? "cuda" : "cpu";
  sources.current_folder = std::filesystem::current_path();
  return sources;
}

}  // namespace

std::vector<ShimRequest> find_shims(const std::vector<std::string>& arguments, DeviceKind device) {
  return locate_shims(sources_of(arguments, device));
}

std::vector<ShimRequest> requested_shims(const std::vector<std::string>& arguments) {
  const ShimSources sources = sources_of(arguments, DeviceKind::host);
  const bool named = !arguments.empty() || (sources.environment && !sources.environment->empty());
  if (!named) return {{"bundled", "", "bundled"}};
  return locate_shims(sources);
}

LoadedShim load_for(const ShimRequest& request, DeviceKind device) {
  Shim shim = load(request);
  require_memory_of(device, request, shim);
  ShimRecord record;
  record.label = request.label;
  record.path = request.path.string();
  record.origin = request.origin;
  record.description = shim.description();
  record.fingerprint = fingerprint(shim);
  return {std::move(record), std::move(shim)};
}

}  // namespace fa2bench
