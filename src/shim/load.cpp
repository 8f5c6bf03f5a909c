// SPDX-License-Identifier: MIT
// From a path to a Shim: check the file, open it, find the symbols, read the description.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "shim/describe.hpp"
#include "shim/elf_file.hpp"
#include "shim/file_check.hpp"
#include "shim/loader_fault.hpp"
#include "shim/mapped.hpp"
#include "shim/near_miss.hpp"
#include "shim/shim.hpp"

namespace fa2bench {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why_and_fix) {
  throw Error(ErrorKind::environment,
              fmt::format("shim {}: {}", printable(path.string()), why_and_fix));
}

void* open_library(const std::filesystem::path& path, bool rtld_global) {
  // RTLD_NOW: a symbol that only some shapes reach must be missed here, not in mid-run.
  void* handle = dlopen(path.c_str(), RTLD_NOW | (rtld_global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (handle == nullptr) {
    const char* said = dlerror();
    const std::string text = said == nullptr ? "no text" : said;
    refuse(path, explain_loader_fault(text, find_missing_libraries(path)));
  }
  return handle;
}

PagedVarlenFn find_entry(const std::filesystem::path& path, void* handle,
                         const std::vector<ElfSymbol>& exported) {
  void* address = dlsym(handle, kPagedVarlenSymbol);
  if (address == nullptr) refuse(path, explain_missing_symbol(kPagedVarlenSymbol, exported));
  for (const ElfSymbol& symbol : exported) {
    if (symbol.is_data && symbol.name == kPagedVarlenSymbol) {
      refuse(path,
             fmt::format("its {} is data, not a function; define it as ferrum_fa2_shim.h says",
                         kPagedVarlenSymbol));
    }
  }
  return reinterpret_cast<PagedVarlenFn>(address);
}

ShimDescription find_description(const std::filesystem::path& path, void* handle,
                                 const std::vector<ElfSymbol>& exported) {
  void* address = dlsym(handle, kDescribeSymbol);
  if (address != nullptr) {
    return parse_description(path, reinterpret_cast<DescribeFn>(address)());
  }
  // Without this a host shim would be handed device memory.
  const bool mangled = std::any_of(exported.begin(), exported.end(), [](const ElfSymbol& symbol) {
    return is_mangled_form(symbol.name, kDescribeSymbol);
  });
  if (mangled) refuse(path, explain_missing_symbol(kDescribeSymbol, exported));
  return {};
}

}  // namespace

Shim load_shim(const std::filesystem::path& path, bool rtld_global) {
  const std::filesystem::path absolute = std::filesystem::absolute(path);
  check_shim_file(absolute);
  const std::vector<MappedObject> before = mapped_objects();
  void* handle = open_library(absolute, rtld_global);
  const std::vector<ElfSymbol> exported = read_exported_symbols(absolute);
  PagedVarlenFn entry = find_entry(absolute, handle, exported);
  ShimDescription description = find_description(absolute, handle, exported);
  auto libraries = libraries_of(object_of(handle), before, mapped_objects());
  return {absolute, entry, std::move(description), std::move(libraries)};
}

}  // namespace fa2bench
