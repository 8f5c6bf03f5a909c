// SPDX-License-Identifier: MIT
// What happens in dlopen, before anybody calls: the constructor below is the fault, and the calls
// are right unless said otherwise. The two faulty descriptions are in shim.cpp.
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "crash.hpp"
#include "fault.hpp"

namespace fa2bench::faulty {
namespace {

void set_locale() {
  // The first that this machine has: one with a decimal comma if possible.
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", ""}) {
    if (std::setlocale(LC_ALL, locale) != nullptr) return;
  }
}

extern "C" void exit_quietly(int /*signal*/) { ::_exit(0); }

/// A crash reporter of the worst kind: whatever happens, the process ends with success.
void hide_crashes() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGTERM}) std::signal(signal, exit_quietly);
}

void change_directory() {
  if (::chdir("/") != 0) std::abort();
}

void spin() {
  for (volatile bool forever = true; forever;) {
  }
}

__attribute__((constructor)) void on_load() {
  const char* name = std::getenv("FA2BENCH_FAULT");
  const std::string_view fault = name == nullptr ? "" : name;
  if (fault == "setlocale_on_load") set_locale();
  if (fault == "signal_handlers_on_load") hide_crashes();
  if (fault == "chdir_on_load") change_directory();
  if (fault == "crash_on_load") touch_forbidden_page();
  if (fault == "hang_on_load") spin();
  if (fault == "exit_on_load") std::exit(0);
}

}  // namespace

std::vector<Fault> load_faults() {
  return {
      {"setlocale_on_load", compute}, before("signal_handlers_on_load", touch_forbidden_page),
      {"chdir_on_load", compute},     {"crash_on_load", compute},
      {"hang_on_load", compute},      {"exit_on_load", compute},
      {"describe_garbage", compute},  {"describe_null", compute},
  };
}

}  // namespace fa2bench::faulty
