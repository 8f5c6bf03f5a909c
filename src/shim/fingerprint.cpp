// SPDX-License-Identifier: MIT
#include "shim/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "shim/elf_file.hpp"

namespace fa2bench {
namespace {

namespace fs = std::filesystem;

fs::path real_path_of(const fs::path& path) {
  std::error_code code;
  fs::path real = fs::canonical(path, code);
  if (code) {
    throw Error(ErrorKind::environment,
                fmt::format("{}: gone since it was loaded ({}); start again with a stable file",
                            printable(path.string()), code.message()));
  }
  return real;
}

MappedLibrary identify(const fs::path& path) {
  const ElfFacts facts = read_elf_facts(path).value_or(ElfFacts{});
  MappedLibrary library;
  library.name = facts.soname.empty() ? path.filename().string() : facts.soname;
  library.real_path = real_path_of(path);
  library.build_id = facts.build_id;
  if (!is_system_library(path)) library.sha256 = sha256_of_file(library.real_path);
  return library;
}

}  // namespace

bool is_system_library(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kNames{
      "libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libgcc_s.so", "libstdc++.so"};
  const std::string name = path.filename().string();
  if (name.starts_with("ld-linux") || name.starts_with("ld64.so") || name.starts_with("ld-2.")) {
    return true;
  }
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

Fingerprint fingerprint(const Shim& shim) {
  Fingerprint print;
  print.real_path = real_path_of(shim.path());
  print.size_bytes = fs::file_size(print.real_path);
  print.sha256 = sha256_of_file(print.real_path);
  print.build_id = read_elf_facts(print.real_path).value_or(ElfFacts{}).build_id;
  for (const fs::path& path : shim.libraries()) print.dependencies.push_back(identify(path));
  return print;
}

bool same_build(const Fingerprint& a, const Fingerprint& b) {
  const auto contents = [](const Fingerprint& print) {
    std::set<std::string> hashes;
    for (const MappedLibrary& library : print.dependencies) hashes.insert(library.sha256);
    hashes.erase("");
    return hashes;
  };
  return a.sha256 == b.sha256 && contents(a) == contents(b);
}

}  // namespace fa2bench
