// SPDX-License-Identifier: MIT
// The result is right, but the process is not as it was: descriptors, environment, rounding,
// output.
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "fault.hpp"

namespace fa2bench::faulty {
namespace {

/// A reader that went away is not our trouble.
void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ::ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A mebibyte to each of stderr and stdout: escape sequences, bytes that are not UTF-8, long lines.
void print_much() {
  constexpr std::size_t kBytes = std::size_t{1} << 20U;
  constexpr char kPiece[] = "\x1B[31mred\x1B[2J\x1B]0;title\x07 \xFF\xFE\x80 \0\r\b";
  std::string text;
  while (text.size() < kBytes) {
    text.append(kPiece, sizeof kPiece - 1);  // with the NUL inside
    if (text.size() % 7 == 0) text += '\n';
  }
  text.resize(kBytes);
  write_all(STDERR_FILENO, text);
  write_all(STDOUT_FILENO, text);
}

void close_descriptors() {
  if (::close_range(3, ~0U, 0) == 0) return;
  for (int file = 3; file < 4096; ++file) ::close(file);
}

void clear_environment() { ::clearenv(); }

/// Denormals become zero in this thread from now on, in and out.
void flush_denormals() {
#if defined(__x86_64__)
  constexpr unsigned kFlushToZero = 0x8000;
  constexpr unsigned kDenormalsAreZero = 0x0040;
  _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#elif defined(__aarch64__)
  constexpr unsigned long kFlushToZero = 1UL << 24U;
  unsigned long control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  asm volatile("msr fpcr, %0" : : "r"(control | kFlushToZero));
#endif
}

}  // namespace

std::vector<Fault> environment_faults() {
  return {
      before_call("print_much", 1, print_much),
      before_call("close_fds", 1, close_descriptors),
      before_call("env_clear", 1, clear_environment),
      before("fpe_flush_to_zero", flush_denormals),
  };
}

}  // namespace fa2bench::faulty
