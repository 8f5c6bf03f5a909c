// SPDX-License-Identifier: MIT
// What libFuzzer calls for each input.
#include <cstddef>
#include <cstdint>

#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const char*>(data);
  (void)fa2bench::fuzz::feed(size == 0 ? std::string_view() : std::string_view(bytes, size));
  return 0;
}
