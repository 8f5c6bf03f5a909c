// SPDX-License-Identifier: MIT
#include "shim/loader_fault.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/text.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kMaxListing = std::size_t{1} << 20U;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What stands between `before` and `after`; "" if not there.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t found = text.find(before);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = text.substr(found + before.size());
  return rest.substr(0, rest.find(after));
}

/// "c10::Error::what() const" for a C++ name, "" for others.
std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return {};
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return name == nullptr ? std::string{} : std::string(name.get());
}

std::string explain_missing(std::string_view text, const std::vector<std::string>& missing) {
  std::vector<std::string> names = missing;
  if (names.empty()) names.emplace_back(text.substr(0, text.find(':')));
  const auto any = [&](std::initializer_list<std::string_view> prefixes) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::any_of(prefixes.begin(), prefixes.end(),
                         [&](std::string_view prefix) { return name.starts_with(prefix); });
    });
  };
  std::vector<std::string> fixes;
  if (any({"libtorch", "libc10", "libshm"})) {
    fixes.emplace_back(
        "set LD_LIBRARY_PATH to the folder torch/lib of the torch it was built with");
  }
  if (any({"libcuda.so", "libnvidia-"})) fixes.emplace_back("install the NVIDIA driver");
  if (any({"libcudart", "libcublas", "libcudnn", "libcusparse", "libcusolver", "libcurand",
           "libcufft", "libnccl", "libnvrtc", "libnvJitLink", "libcupti", "libnvToolsExt"})) {
    fixes.emplace_back(
        "add the CUDA libraries to LD_LIBRARY_PATH (for example /usr/local/cuda/lib64)");
  }
  if (fixes.empty()) fixes.emplace_back("install them or add their folders to LD_LIBRARY_PATH");
  return fmt::format("a library it needs is missing: {}; not found: {}; {}", text, join(names),
                     join(fixes, " and "));
}

std::string explain_undefined(std::string_view text) {
  const std::string symbol(between(text, "undefined symbol: ", ","));
  const std::string name = demangled(symbol);
  const bool torch = contains(symbol, "3c10") || contains(symbol, "2at") ||
                     contains(symbol, "5torch") || contains(symbol, "9c10_cuda");
  // The standard library's two string types show as an ABI tag or as an inline namespace.
  const bool cxx_abi = contains(symbol, "B5cxx11") || contains(symbol, "__cxx11");
  std::string fix = "link it with the library that defines the symbol";
  if (torch) {
    fix = "rebuild it against this torch and compiler";
  } else if (cxx_abi) {
    fix = "rebuild it and its libraries with one compiler and one C++ ABI (against this torch)";
  }
  return fmt::format("a symbol it needs is undefined: {}{}; {}", text,
                     name.empty() ? "" : fmt::format(" ({})", name), fix);
}

std::string explain_version(std::string_view text) {
  const std::string_view version = between(text, "version `", "'");
  const bool system = version.starts_with("GLIBC_") || version.starts_with("GLIBCXX_") ||
                      version.starts_with("CXXABI_") || version.starts_with("GCC_");
  if (system) {
    return fmt::format("built for a newer system: {}; rebuild it on this one or use a newer one",
                       text);
  }
  return fmt::format("built for another version of a library: {}; rebuild it against this one",
                     text);
}

/// The dynamic loader that started this process; "" if it is linked statically.
std::string own_loader() {
  Dl_info info{};
  const unsigned long base = getauxval(AT_BASE);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel hands the address out as a number.
  if (base == 0 || dladdr(reinterpret_cast<void*>(base), &info) == 0) return {};
  return info.dli_fname == nullptr ? std::string{} : std::string(info.dli_fname);
}

/// What `loader library` writes to stdout when it is told to list and not to run, as ldd does; ""
/// if it cannot be started.
std::string listing_of(const std::string& loader, const std::string& library) {
  std::string trace = "LD_TRACE_LOADED_OBJECTS=1";
  std::vector<char*> environment{trace.data()};
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(nullptr);
  // posix_spawn takes char* for history's sake and does not write to the texts.
  const std::array<char*, 3> arguments{const_cast<char*>(loader.c_str()),
                                       const_cast<char*>(library.c_str()), nullptr};
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, loader.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  std::array<char, 4096> chunk{};
  while (failed == 0 && output.size() < kMaxListing) {
    const ssize_t count = read(ends[0], chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    output.append(chunk.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  if (failed == 0) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  return output;
}

}  // namespace

std::vector<std::string> find_missing_libraries(const std::filesystem::path& library) {
  const std::string loader = own_loader();
  if (loader.empty()) return {};
  return parse_missing_libraries(listing_of(loader, library.string()));
}

std::vector<std::string> parse_missing_libraries(std::string_view listing) {
  std::vector<std::string> names;
  while (!listing.empty()) {
    const std::string_view line = listing.substr(0, listing.find('\n'));
    listing.remove_prefix(std::min(line.size() + 1, listing.size()));
    const std::size_t arrow = line.find(" => not found");
    if (arrow == std::string_view::npos) continue;
    const std::size_t start = std::min(line.find_first_not_of(" \t"), arrow);
    std::string name(line.substr(start, arrow - start));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::string explain_loader_fault(std::string_view loader_text,
                                 const std::vector<std::string>& missing) {
  const std::string text = printable(loader_text);
  if (contains(text, "cannot open shared object file")) return explain_missing(text, missing);
  if (contains(text, "undefined symbol: ")) return explain_undefined(text);
  if (contains(text, "version `") && contains(text, "not found")) return explain_version(text);
  if (contains(text, "static TLS block")) {
    return fmt::format(
        "no room for its thread-local data: {}; set "
        "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384",
        text);
  }
  if (contains(text, "failed to map segment")) {
    return fmt::format("its code may not be mapped: {}; put it on a file system mounted with exec",
                       text);
  }
  return fmt::format("the loader refuses it: {}; see what ldd says of it", text);
}

}  // namespace fa2bench
