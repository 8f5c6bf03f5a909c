// SPDX-License-Identifier: MIT
// Opens a built shim the way the tool and Ferrum do.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "abi/call.hpp"

namespace fa2bench::test {

/// The entry points of a shim. The library stays open for the life of the process.
struct Library {
  PagedVarlenFn call;
  DescribeFn describe;
};

inline Library open_library(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  Library library = {reinterpret_cast<PagedVarlenFn>(dlsym(handle, kPagedVarlenSymbol)),
                     reinterpret_cast<DescribeFn>(dlsym(handle, kDescribeSymbol))};
  if (library.call == nullptr || library.describe == nullptr) {
    throw std::runtime_error(path + " lacks a symbol of the contract");
  }
  return library;
}

}  // namespace fa2bench::test
