// SPDX-License-Identifier: MIT
// The process ends inside a call: signals, exits, an exception, a ruined heap or stack.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "crash.hpp"
#include "fault.hpp"

namespace fa2bench::faulty {
namespace {

constexpr std::size_t kPage = 4096;

#if defined(__GNUC__)
__attribute__((no_sanitize("undefined")))
#endif
void divide_by_zero() {
#if defined(__x86_64__)
  volatile int one = 1;  // a constant would be folded into a comparison
  volatile int zero = 0;
  volatile int quotient = one / zero;
  static_cast<void>(quotient);
#else
  std::raise(SIGFPE);  // division by zero is no trap here
#endif
}

/// A page of a mapped file past its end, as when the file was cut meanwhile.
void touch_page_without_a_file() {
  const int file = ::memfd_create("faulty_shim", 0);
  void* page = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) *static_cast<volatile char*>(page) = 1;
}

void run_unknown_instruction() {
#if defined(__x86_64__)
  asm volatile("ud2");
#else
  std::raise(SIGILL);
#endif
}

void die_by_sigkill() { std::raise(SIGKILL); }

void exit_with_0() { std::exit(0); }

void exit_with_1() {
  std::fputs("faulty shim: launch failed, calling exit(1)\n", stderr);
  std::exit(1);
}

void exit_in_thread() {
  std::thread([] { ::_exit(1); }).join();
}

void throw_error() { throw std::runtime_error("an exception thrown across the C boundary"); }

// NOLINTNEXTLINE(misc-no-recursion)
int use_stack(const volatile char* above, const volatile bool& stop) {
  volatile char frame[kPage] = {};
  frame[0] = above == nullptr ? '\0' : above[0];
  if (stop) return 0;
  return use_stack(frame, stop) + frame[1];
}

void overflow_stack() {
  const volatile bool stop = false;
  use_stack(nullptr, stop);
}

void free_twice() {
  void* volatile memory = std::malloc(64);
  std::free(memory);
  std::free(memory);
}

/// A child of the same process group that holds every descriptor of its parent for ten minutes.
void leave_child() {
  if (::fork() != 0) return;
  ::sleep(600);
  ::_exit(0);
}

void leave_child_and_exit() {
  leave_child();
  ::_exit(1);
}

}  // namespace

void touch_forbidden_page() {
  void* page = ::mmap(nullptr, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) *static_cast<volatile char*>(page) = 1;
}

std::vector<Fault> exit_faults() {
  constexpr unsigned long kLate = 20;
  return {
      before("segv", touch_forbidden_page),
      before_call("segv_on_call_20", kLate, touch_forbidden_page),
      before("sigfpe", divide_by_zero),
      before("sigbus", touch_page_without_a_file),
      before("sigill", run_unknown_instruction),
      before("sigkill", die_by_sigkill),
      before("abort", std::abort),
      before("exit0", exit_with_0),
      before("exit1", exit_with_1),
      before_call("exit1_on_call_20", kLate, exit_with_1),
      before("exit_in_thread", exit_in_thread),
      before("throw_across_c_abi", throw_error),
      before("stack_overflow", overflow_stack),
      before("double_free", free_twice),
      before_call("fork_child", 1, leave_child),
      before_call("fork_child_and_exit", 1, leave_child_and_exit),
  };
}

}  // namespace fa2bench::faulty
