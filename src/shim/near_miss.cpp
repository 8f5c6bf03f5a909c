// SPDX-License-Identifier: MIT
#include "shim/near_miss.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace fa2bench {
namespace {

constexpr std::size_t kMaxListed = 5;
constexpr std::size_t kMaxName = 120;

std::string shortened(const std::string& name) {
  return printable(name.size() <= kMaxName ? name : name.substr(0, kMaxName) + "...");
}

}  // namespace

bool is_mangled_form(std::string_view name, std::string_view symbol) {
  // The Itanium C++ ABI writes an identifier as its length and its text: 27ferrum_fa2_….
  return name.starts_with("_Z") &&
         name.find(fmt::format("{}{}", symbol.size(), symbol)) != std::string_view::npos;
}

std::string explain_missing_symbol(std::string_view symbol,
                                   const std::vector<ElfSymbol>& exported) {
  std::vector<std::string> names;
  std::vector<std::string> near;
  for (const ElfSymbol& entry : exported) {
    if (is_mangled_form(entry.name, symbol)) {
      return fmt::format("it does not export {}, but the C++ name {}; declare it extern \"C\"",
                         symbol, shortened(entry.name));
    }
    names.push_back(entry.name);
    if (entry.name.find("paged_varlen") != std::string::npos) near.push_back(entry.name);
  }
  const std::string closest = nearest(symbol, names);
  if (!closest.empty()) {  // the likeliest first
    near.erase(std::remove(near.begin(), near.end(), closest), near.end());
    near.insert(near.begin(), closest);
  }
  if (near.empty()) {
    return fmt::format(
        "it does not export {}, nor a name like it; define it as ferrum_fa2_shim.h says, with "
        "default visibility",
        symbol);
  }
  std::vector<std::string> listed;
  for (const std::string& name : near) {
    if (listed.size() < kMaxListed) listed.push_back(shortened(name));
  }
  return fmt::format("it does not export {}; names like it: {}; export it under the first name",
                     symbol, join(listed));
}

}  // namespace fa2bench
