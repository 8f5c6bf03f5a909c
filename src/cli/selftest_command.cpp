// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "app/self_test.hpp"
#include "app/self_test_peer.hpp"
#include "app/shims.hpp"
#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "device/select.hpp"
#include "output/self_test_table.hpp"

namespace fa2bench {
namespace {

SelfTest test(const SelfTestOptions& options) {
  const DeviceRequest request = parse_device(options.device);
  SelfTestPeer peer(own_executable());  // before this process has a device
  const OpenedDevice opened = open_device(request);
  if (!opened.note.empty()) std::fputs((opened.note + '\n').c_str(), stderr);
  const DeviceFacts& facts = opened.device->facts();
  const std::string device =
      facts.kind == DeviceKind::cuda ? fmt::format("cuda:{}", facts.index) : "cpu";
  return run_self_test(*opened.device, opened.device->telemetry_before(),
                       [&](const std::string& handle) { return peer.ask(device, handle); });
}

}  // namespace

int selftest_command(const SelfTestOptions& options) {
  const bool to_stdout = options.json == "-";
  const bool to_file = !options.json.empty() && !to_stdout;
  if (to_file) check_writable(options.json);
  SelfTest result;
  try {
    result = test(options);
  } catch (const DeviceError& error) {
    throw Error(ErrorKind::environment,
                fmt::format("selftest: the device failed: {}", error.what()));
  } catch (const OutOfMemory& error) {
    throw Error(ErrorKind::environment, fmt::format("selftest: {}", error.what()));
  }
  std::fputs(self_test_table(result).c_str(), to_stdout ? stderr : stdout);
  if (to_stdout) fmt::print("{}", self_test_json(result));
  if (to_file) write_atomically(options.json, self_test_json(result));
  const SelfTestCheck* failed = result.failure();
  if (failed == nullptr) return static_cast<int>(ExitCode::ok);
  std::fflush(stdout);
  throw Error(ErrorKind::environment,
              "selftest: this machine cannot be trusted: " + failure_text(*failed));
}

}  // namespace fa2bench
