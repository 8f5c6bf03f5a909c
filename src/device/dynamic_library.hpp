// SPDX-License-Identifier: MIT
// Libraries of the driver and the toolkit that are found at run time, never required. They stay
// loaded: they do not like to be unloaded.
#pragma once

#include <dlfcn.h>

#include <string>

namespace fa2bench {

/// The first of the names that can be opened, or null.
template <typename Names>
void* open_first(const Names& names) {
  for (const std::string& name : names) {
    if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

/// Whether the library has the function, which is null otherwise.
template <typename Function>
bool find_function(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace fa2bench
